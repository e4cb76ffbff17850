package io.headrace.media.audio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.recipe.ProcessSpec.Downmix;
import io.headrace.media.audio.mel.LogMel;
import io.headrace.media.probe.ByteView;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Recordings beside what torchcodec, soundfile and the Hugging Face feature extractor make of them. */
class AudioTest {
    private static final int RATE = LogMel.SAMPLE_RATE;

    private final AudioDecoder decoder = new AudioDecoder();

    static byte[] file(String name) throws IOException {
        try (InputStream in = AudioTest.class.getResourceAsStream("/audio/" + name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        }
    }

    /** One recording and a way of loading it. */
    record Vector(JsonNode json) {
        FloatBuffer floats(String name) {
            byte[] bytes = Base64.getDecoder().decode(json.path(name).asText());
            return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
        }

        boolean isTorchcodec() {
            return json.path("loader").asText().equals("torchcodec");
        }

        @Override
        public String toString() {
            return json.path("name").asText();
        }
    }

    static List<Vector> vectors() throws IOException {
        try (InputStream in = AudioTest.class.getResourceAsStream("/vectors/whisper.json")) {
            List<Vector> vectors = new ArrayList<>();
            new ObjectMapper().readTree(in).forEach(json -> vectors.add(new Vector(json)));
            assertThat(vectors).hasSize(7);
            return vectors;
        }
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void featuresAreThoseOfTheReference(Vector vector) throws Exception {
        byte[] recording = file(vector.json.path("media").asText());
        Downmix downmix = vector.isTorchcodec() ? Downmix.POWER : Downmix.MEAN;
        int count = decoder.decode(MemorySegment.ofArray(recording), RATE, downmix, 1 << 24);
        int samples = vector.json.path("samples").asInt();
        assertThat(count).isCloseTo(samples, within(vector.isTorchcodec() ? 0 : 1));
        FloatBuffer head = vector.floats("head");
        for (int i = 0; i < head.limit() && vector.isTorchcodec(); i++) {
            assertThat(decoder.samples()[i]).isCloseTo(head.get(i), within(2e-5f));
        }
        int bands = vector.json.path("bands").asInt();
        float[][] features = new float[bands][LogMel.FRAMES];
        new LogMel(bands)
                .features(decoder.samples(), count, (b, f, value) -> features[b][f] = value);
        FloatBuffer wanted = vector.floats("features");
        JsonNode frames = vector.json.path("frames");
        double sum = 0;
        double most = 0;
        for (int band = 0; band < bands; band++) {
            for (int i = 0; i < frames.size(); i++) {
                float want = wanted.get(band * frames.size() + i);
                double difference = Math.abs(features[band][frames.get(i).asInt()] - want);
                most = Math.max(most, difference);
                sum += difference;
            }
        }
        double mean = sum / bands / frames.size();
        assertThat(most).as("largest difference").isLessThan(vector.isTorchcodec() ? 1e-4 : 0.4);
        assertThat(mean).as("mean difference").isLessThan(vector.isTorchcodec() ? 2e-6 : 4e-3);
    }

    @ParameterizedTest
    @CsvSource({
        "lhotse/2412-153948-0000.flac, FLAC, 16000, 1, 186560",
        "lhotse/libri-1088-134315-0000.wav, WAV, 16000, 1, 256640",
        "lhotse/common_voice_en_651325.mp3, MP3, 48000, 1, 114048",
        "lhotse/stereo.wav, WAV, 8000, 2, 8000",
        "lhotse/stereo.mp3, MP3, 8000, 2, 8000",
        "lhotse/stereo.opus, OPUS, 48000, 2, 48260",
        "hf/test_audio_44100.mp3, MP3, 44100, 2, 110592",
        "hf/test_audio_48000.opus, OPUS, 48000, 1, 48000",
        "made/vorbis.ogg, VORBIS, 16000, 2, 48832",
        "made/aac.m4a, AAC, 16000, 1, 49152",
        "made/opus.webm, OPUS, 48000, 1, 146331",
        "made/aac.aac, AAC, 16000, 1, 50176",
        "made/surround.flac, FLAC, 16000, 6, 48777",
        "made/lame.mp3, MP3, 16000, 1, 48777",
    })
    void headersSayWhatDecodingGives(String name, Codec codec, int rate, int channels, long samples)
            throws Exception {
        byte[] recording = file(name);
        AudioFacts facts = AudioProbe.read(ByteView.of(recording));
        int decoded =
                decoder.decode(
                        MemorySegment.ofArray(recording), facts.rateHz(), Downmix.MEAN, 1 << 24);
        assertThat(facts).isEqualTo(new AudioFacts(codec, rate, channels, decoded));
        assertThat(facts.samples()).isEqualTo(samples);
    }

    /** A length of 0, of all ones and beyond the end all mean: to the end; a short one counts. */
    @Test
    void aWrongLengthOfWavIsNotBelieved() throws Exception {
        byte[] recording = file("lhotse/stereo.wav");
        int data = 40;
        for (int length : new int[] {0, -1, 1 << 30}) {
            byte[] wrong = recording.clone();
            ByteBuffer.wrap(wrong).order(ByteOrder.LITTLE_ENDIAN).putInt(data, length);
            AudioFacts facts = AudioProbe.read(ByteView.of(wrong));
            assertThat(facts.samples()).as("length %d", length).isEqualTo(8000);
            assertThat(decoder.decode(MemorySegment.ofArray(wrong), 8000, Downmix.MEAN, 1 << 24))
                    .isEqualTo(8000);
        }
        byte[] shorter = recording.clone();
        ByteBuffer.wrap(shorter).order(ByteOrder.LITTLE_ENDIAN).putInt(data, 4000);
        assertThat(AudioProbe.read(ByteView.of(shorter)).samples()).isEqualTo(1000);
        assertThat(decoder.decode(MemorySegment.ofArray(shorter), 8000, Downmix.MEAN, 1 << 24))
                .isEqualTo(1000);
    }

    /** Left is 1/4, right 1/2. */
    @Test
    void channelsAreMixedByTheMeanOrTheRootOfTwo() throws Exception {
        ByteBuffer wav = ByteBuffer.allocate(44 + 400).order(ByteOrder.LITTLE_ENDIAN);
        wav.put("RIFF".getBytes(StandardCharsets.US_ASCII)).putInt(436);
        wav.put("WAVEfmt ".getBytes(StandardCharsets.US_ASCII)).putInt(16);
        wav.putShort((short) 1).putShort((short) 2).putInt(16000).putInt(64000);
        wav.putShort((short) 4).putShort((short) 16);
        wav.put("data".getBytes(StandardCharsets.US_ASCII)).putInt(400);
        for (int i = 0; i < 100; i++) {
            wav.putShort((short) 8192).putShort((short) 16384);
        }
        MemorySegment recording = MemorySegment.ofArray(wav.array());
        assertThat(decoder.decode(recording, RATE, Downmix.MEAN, 1 << 20)).isEqualTo(100);
        assertThat(decoder.samples()[50]).isCloseTo(0.375f, within(1e-6f));
        assertThat(decoder.decode(recording, RATE, Downmix.POWER, 1 << 20)).isEqualTo(100);
        assertThat(decoder.samples()[50]).isCloseTo((float) (0.75 / Math.sqrt(2)), within(1e-6f));
    }

    @Test
    void decodingStopsAtTheMostSamples() throws Exception {
        byte[] recording = file("lhotse/libri-1088-134315-0000.wav");
        assertThat(decoder.decode(MemorySegment.ofArray(recording), RATE, Downmix.MEAN, 1000))
                .isEqualTo(1000);
    }

    @Test
    void whatIsNoRecordingIsNamed() throws IOException {
        assertThat(reason(new byte[0])).isEqualTo(Reason.EMPTY);
        assertThat(reason("hello, this is text".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(Reason.UNSUPPORTED);
        assertThat(reason(Arrays.copyOf(file("lhotse/stereo.wav"), 30)))
                .isEqualTo(Reason.TRUNCATED);
    }

    private static Reason reason(byte[] payload) throws IOException {
        try {
            AudioProbe.read(ByteView.of(payload));
            throw new AssertionError("a recording");
        } catch (BadPayload e) {
            return e.reason();
        }
    }

    /** Cut anywhere, with bytes turned over: facts and sound, or an error; never more samples than the bytes could hold. */
    @ParameterizedTest
    @CsvSource({
        "lhotse/2412-153948-0000.flac",
        "lhotse/stereo.wav",
        "lhotse/stereo.mp3",
        "lhotse/stereo.opus",
        "hf/test_audio_44100.mp3"
    })
    void brokenRecordingsEnd(String name) throws IOException {
        byte[] whole = file(name);
        long seed = System.nanoTime();
        System.out.println("AudioTest seed " + seed);
        Random random = new Random(seed);
        int sounds = 0;
        for (int round = 0; round < 60; round++) {
            byte[] broken = Arrays.copyOf(whole, 1 + random.nextInt(whole.length));
            for (int flip = random.nextInt(8); flip > 0; flip--) {
                broken[random.nextInt(broken.length)] ^= (byte) (1 << random.nextInt(8));
            }
            try {
                AudioProbe.read(ByteView.of(broken));
                int count =
                        decoder.decode(MemorySegment.ofArray(broken), RATE, Downmix.POWER, 1 << 22);
                assertThat(count).isBetween(0, 1 << 22);
                sounds++;
            } catch (BadPayload e) {
                assertThat(e).message().isNotEmpty();
            }
        }
        assertThat(sounds).isBetween(0, 60);
    }
}
