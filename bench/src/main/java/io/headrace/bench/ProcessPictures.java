package io.headrace.bench;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.recipe.ProcessSpec;
import io.headrace.media.process.ImageLayout;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/**
 * Writes the tensors of pictures into one safetensors file, for tests in other languages: reads lines {@code MODEL WIRE QUALITY ALPHA
 * FILE}; line {@code i} becomes tensor {@code "i"} of {@code [rows, elements]}. A picture that cannot be used is printed with its reason
 * and left out.
 */
public final class ProcessPictures {
    private final List<Entry> entries = new ArrayList<>();

    private ProcessPictures() {}

    private record Entry(String name, String dtype, ImageLayout layout, MemorySegment data) {}

    public static void main(String[] args) throws IOException {
        ProcessPictures pictures = new ProcessPictures();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            int number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                pictures.add(Integer.toString(number++), line.split(" ", 5));
            }
        }
        pictures.write(Path.of(args[0]));
    }

    private void add(String name, String[] words) throws IOException {
        try (ImageWay way = ImageWay.of(words[0], words[1], words[2], words[3]);
                Arena arena = Arena.ofConfined()) {
            MemorySegment encoded = MemorySegment.ofArray(Files.readAllBytes(Path.of(words[4])));
            ImageLayout layout = way.layout(encoded);
            MemorySegment out = arena.allocate(way.bytes(layout), 64);
            way.run(encoded, layout, out);
            MemorySegment data = MemorySegment.ofArray(out.toArray(ValueLayout.JAVA_BYTE));
            entries.add(new Entry(name, dtype(way.spec()), layout, data));
        } catch (BadPayload e) {
            System.out.println(name + " " + e.reason() + " " + e.getMessage());
        }
    }

    private static String dtype(ProcessSpec spec) {
        return switch (spec.wire()) {
            case FLOAT32 -> "F32";
            case BFLOAT16 -> "BF16";
            case UINT8 -> "U8";
        };
    }

    private void write(Path file) throws IOException {
        StringJoiner header = new StringJoiner(",", "{", "}");
        long offset = 0;
        for (Entry entry : entries) {
            header.add(
                    "\"%s\":{\"dtype\":\"%s\",\"shape\":[%d,%d],\"data_offsets\":[%d,%d]}"
                            .formatted(
                                    entry.name(),
                                    entry.dtype(),
                                    entry.layout().rows(),
                                    entry.layout().rowElements(),
                                    offset,
                                    offset + entry.data().byteSize()));
            offset += entry.data().byteSize();
        }
        byte[] text = header.toString().getBytes(StandardCharsets.UTF_8);
        try (FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            ByteBuffer length = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            writeAll(channel, length.putLong(text.length).flip());
            writeAll(channel, ByteBuffer.wrap(text));
            for (Entry entry : entries) {
                writeAll(channel, entry.data().asByteBuffer());
            }
        }
    }

    private static void writeAll(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }
}
