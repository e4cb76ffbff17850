package io.headrace.sim.workload;

import static io.headrace.engine.cost.learn.CpuKey.Operation.DECODE;
import static io.headrace.engine.cost.learn.CpuKey.Operation.DECODE_FRAMES;
import static io.headrace.engine.cost.learn.CpuKey.Operation.TOKENIZE;

import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.recipe.BatchSpec;
import java.util.List;

/** The eleven workloads of the benchmark, as distributions of descriptors. Sizes and token formulas are those of the benchmark's page. */
public final class Workloads {

    private static final double MEGA = 1e6;
    private static final double RATE_HZ = 16_000;
    private static final double BYTES_PER_TOKEN = 4;

    private Workloads() {}

    public static List<Workload> all() {
        return List.of(
                of("W1", Workloads::qwenImage, 64, 2e-5, 0.25),
                of("W2", Workloads::qwenVideo, 24, 2e-5, 0.25),
                of("W3", Workloads::llavaMix, 48, 2e-5, 0.2),
                of("W4", Workloads::internDocuments, 48, 2e-5, 0.1),
                packs("W5", Workloads::naflex, 16, 4096, 1e-4, 1),
                of("W6", Workloads::speech, 128, 1e-4, 0.2),
                of("W7", Workloads::diffusion, 24, 1e-4, 0),
                of("W8", Workloads::buckets, 32, 1e-4, 0),
                of("W9", Workloads::clips, 64, 1e-4, 0),
                packs("W10", Workloads::interleaved, 16, 8192, 2e-5, 0),
                packs("W11", Workloads::longText, 16, 32_768, 2e-5, 0));
    }

    /** The workload of an id such as W3. */
    public static Workload of(String id) {
        return all().stream()
                .filter(workload -> workload.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No workload " + id));
    }

    private interface Generator {
        SimSample sample(Draw draw);
    }

    private static Workload of(
            String id, Generator generator, int samples, double squares, double patchCost) {
        return new Workload(
                id,
                (seed, index) -> generator.sample(new Draw(seed, index)),
                new BatchSpec.Samples(samples, 1),
                squares,
                patchCost);
    }

    private static Workload packs(
            String id,
            Generator generator,
            int packs,
            int length,
            double squares,
            double patchCost) {
        return new Workload(
                id,
                (seed, index) -> generator.sample(new Draw(seed, index)),
                new BatchSpec.Packs(packs, length, 1),
                squares,
                patchCost);
    }

    private static CpuTruth jpeg(CpuTruth cpu, Draw draw, double pixels, double outputs) {
        double bytes = pixels * draw.logNormal(0.25, 0.3);
        return cpu.add(Codec.JPEG, DECODE, pixels, bytes, outputs);
    }

    private static double text(CpuTruth cpu, Draw draw, double median) {
        double tokens = Math.clamp(draw.logNormal(median, 0.8), 4, 2000);
        cpu.add(Codec.TEXT, TOKENIZE, tokens, BYTES_PER_TOKEN * tokens, tokens);
        return tokens;
    }

    private static Codec videoCodec(Draw draw) {
        double u = draw.uniform();
        return u < 0.6 ? Codec.H264 : u < 0.85 ? Codec.H265 : Codec.VP9;
    }

    private static void video(
            CpuTruth cpu, Draw draw, double decodedFrames, double pixels, double outputs) {
        double units = decodedFrames * pixels;
        cpu.add(videoCodec(draw), DECODE_FRAMES, units, 0.02 * units, outputs);
    }

    private static SimSample qwenImage(Draw draw) {
        double pixels =
                draw.chance(0.1)
                        ? draw.uniform(2, 4) * MEGA
                        : Math.clamp(draw.logNormal(0.3, 0.9), 0.01, 12) * MEGA;
        double tokens = Math.clamp(Math.round(pixels / 784), 4, 1280);
        CpuTruth cpu = jpeg(new CpuTruth(draw), draw, pixels, 784 * tokens);
        return cpu.sample(tokens + text(cpu, draw, 80), 4 * tokens, 1);
    }

    private static SimSample qwenVideo(Draw draw) {
        double seconds = Math.clamp(draw.logNormal(draw.chance(0.5) ? 8 : 30, 0.8), 2, 240);
        double pixels = draw.chance(0.5) ? 640 * 360 : 426 * 240;
        double frames = Math.min(2 * Math.round(seconds), 768);
        double tokens = Math.min(frames / 2 * Math.round(pixels / 784), 16_384);
        CpuTruth cpu = new CpuTruth(draw);
        video(cpu, draw, 0.6 * 25 * seconds, pixels, 1568 * tokens);
        return cpu.sample(tokens + text(cpu, draw, 80), 4 * tokens, (int) (seconds / 2));
    }

    private static SimSample llavaMix(Draw draw) {
        CpuTruth cpu = new CpuTruth(draw);
        double kind = draw.uniform();
        if (kind < 0.6) {
            double pixels = Math.clamp(draw.logNormal(0.5, 0.8), 0.02, 12) * MEGA;
            double tiles = Math.clamp(Math.ceil(pixels / (384 * 384)), 1, 9);
            double tokens = Math.min((tiles + 1) * 729, 7290);
            jpeg(cpu, draw, pixels, (tiles + 1) * 384 * 384);
            return cpu.sample(tokens + text(cpu, draw, 80), tokens, 1);
        }
        if (kind < 0.8) {
            int images = 2 + draw.geometric(2);
            for (int i = 0; i < images; i++) {
                jpeg(cpu, draw, Math.clamp(draw.logNormal(0.4, 0.8), 0.02, 12) * MEGA, 384 * 384);
            }
            double tokens = 729.0 * images;
            return cpu.sample(tokens + text(cpu, draw, 80), tokens, images);
        }
        double seconds = Math.clamp(draw.logNormal(15, 0.8), 2, 180);
        video(cpu, draw, Math.min(15 * seconds, 32 * 12), 640 * 360, 32 * 384 * 384);
        return cpu.sample(32 * 196 + text(cpu, draw, 80), 32 * 729, 8);
    }

    private static SimSample internDocuments(Draw draw) {
        double pixels = 0.3 * MEGA * Math.pow(20, draw.uniform());
        double tiles = Math.clamp(Math.round(pixels / (448 * 448)), 1, 12);
        double all = tiles > 1 ? tiles + 1 : 1;
        CpuTruth cpu = jpeg(new CpuTruth(draw), draw, pixels, all * 448 * 448);
        return cpu.sample(256 * all + text(cpu, draw, 200), 1024 * all, 1);
    }

    private static SimSample naflex(Draw draw) {
        double pixels = Math.clamp(draw.logNormal(0.25, 0.9), 0.005, 12) * MEGA;
        double tokens = Math.clamp(Math.floor(pixels / 256), 1, 256);
        return jpeg(new CpuTruth(draw), draw, pixels, 256 * tokens).sample(tokens, tokens, 1);
    }

    private static SimSample speech(Draw draw) {
        double seconds = Math.clamp(draw.logNormal(draw.chance(0.5) ? 3 : 12, 0.6), 0.3, 30);
        double u = draw.uniform();
        Codec codec = u < 0.4 ? Codec.MP3 : u < 0.7 ? Codec.OPUS : u < 0.9 ? Codec.FLAC : Codec.WAV;
        double samples = seconds * RATE_HZ;
        double bytes = samples * (codec == Codec.WAV ? 2 : codec == Codec.FLAC ? 1 : 0.25);
        CpuTruth cpu = new CpuTruth(draw).add(codec, DECODE, samples, bytes, 100 * 128 * 30);
        return cpu.sample(25 * seconds + text(cpu, draw, 40), 1500, 1);
    }

    private static SimSample diffusion(Draw draw) {
        boolean large = draw.chance(0.5);
        double pixels = large ? 720 * 1280 : 480 * 832;
        CpuTruth cpu = new CpuTruth(draw);
        if (draw.chance(0.3)) {
            jpeg(cpu, draw, pixels * draw.uniform(1, 4), pixels);
            return cpu.sample(Math.floor(pixels / 256), 0, 1);
        }
        double frames = 1 + 4 * (4 + Math.floor(17 * draw.uniform()));
        video(cpu, draw, frames * draw.uniform(1, 2), pixels * draw.uniform(1, 2), pixels * frames);
        return cpu.sample(((frames - 1) / 4 + 1) * Math.floor(pixels / 256), 0, (int) (frames / 8));
    }

    private static SimSample buckets(Draw draw) {
        double[] sides = {240 * 426, 480 * 854, 720 * 1280};
        double[] lengths = {1, 17, 33, 51, 97};
        double pixels = sides[(int) (3 * draw.uniform())];
        double frames = lengths[(int) (5 * draw.uniform())];
        CpuTruth cpu = new CpuTruth(draw);
        video(
                cpu,
                draw,
                frames + draw.uniform(0, 30),
                pixels * draw.uniform(1, 2),
                pixels * frames);
        double latents = (Math.floor((frames - 1) / 4) + 1) * Math.floor(pixels / 256);
        return cpu.sample(latents, 0, (int) Math.max(1, frames / 8));
    }

    private static SimSample clips(Draw draw) {
        double pixels = draw.chance(0.5) ? 320 * 240 : draw.chance(0.5) ? 640 * 360 : 1280 * 720;
        CpuTruth cpu = new CpuTruth(draw);
        video(cpu, draw, Math.clamp(draw.logNormal(40, 0.9), 16, 1000), pixels, 16 * 224 * 224);
        return cpu.sample(1568, 0, 4);
    }

    private static SimSample interleaved(Draw draw) {
        CpuTruth cpu = new CpuTruth(draw);
        int images = Math.min(1 + draw.geometric(3), 7);
        for (int i = 0; i < images; i++) {
            jpeg(cpu, draw, Math.clamp(draw.logNormal(0.4, 0.8), 0.02, 12) * MEGA, 512 * 512);
        }
        double tokens = Math.min(text(cpu, draw, 700), 8192 - 1024.0 * images);
        return cpu.sample(1024.0 * images + tokens, 0, images);
    }

    private static SimSample longText(Draw draw) {
        CpuTruth cpu = new CpuTruth(draw);
        double tokens =
                draw.chance(0.001)
                        ? Math.clamp(draw.logNormal(30_000, 0.6), 8_192, 32_768)
                        : Math.clamp(draw.logNormal(700, 0.85), 8, 32_768);
        cpu.add(Codec.TEXT, TOKENIZE, tokens, BYTES_PER_TOKEN * tokens, tokens);
        return cpu.sample(tokens, 0, 1);
    }
}
