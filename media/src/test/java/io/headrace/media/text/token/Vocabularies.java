package io.headrace.media.text.token;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.GZIPInputStream;

/** The real vocabularies among the test resources, unpacked into a folder and opened. */
public final class Vocabularies {

    private Vocabularies() {}

    public static HuggingFaceTokenizer clip(Path folder) throws IOException {
        return open(folder, "clip", "clip_tokenizer.json.gz");
    }

    public static HuggingFaceTokenizer gpt2(Path folder) throws IOException {
        return open(folder, "gpt2", "gpt2_tokenizer.json.gz");
    }

    /** Qwen3's, with Qwen2.5-VL's vision tokens under the same ids. */
    public static HuggingFaceTokenizer qwen(Path folder) throws IOException {
        return open(folder, "qwen", "qwen3_tokenizer.json.gz.0", "qwen3_tokenizer.json.gz.1");
    }

    /** The unpacked JSON of gzip parts laid end to end. */
    static byte[] unpacked(String... parts) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        for (String part : parts) {
            packed.writeBytes(bytes(part));
        }
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(packed.toByteArray()))) {
            return in.readAllBytes();
        }
    }

    static byte[] bytes(String resource) {
        try (InputStream in = Vocabularies.class.getResourceAsStream("/tokens/" + resource)) {
            return Objects.requireNonNull(in, resource).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static HuggingFaceTokenizer open(Path folder, String name, String... parts)
            throws IOException {
        Path file = Files.createDirectories(folder.resolve(name)).resolve("tokenizer.json");
        Files.write(file, unpacked(parts));
        return HuggingFaceTokenizer.open(file);
    }
}
