package io.headrace.bench;

import io.headrace.engine.descriptor.BadPayload;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;

/** Prints the place and the CRC-32 of the RGB rows of each chosen frame: {@code VideoFrames CHOICE FILE}. */
public final class VideoFrames {
    private VideoFrames() {}

    public static void main(String... arguments) throws IOException, BadPayload {
        Map<Integer, Long> sums = new TreeMap<>();
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(Path.of(arguments[1]));
                VideoWay way = VideoWay.of(arguments[0])) {
            MemorySegment encoded =
                    channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            int[] frames =
                    way.run(
                            encoded,
                            (k, picture) -> {
                                CRC32 crc = new CRC32();
                                long size = 3L * picture.width() * picture.height();
                                crc.update(picture.rgb().asSlice(0, size).asByteBuffer());
                                sums.put(k, crc.getValue());
                            });
            sums.forEach((k, sum) -> System.out.println(frames[k] + " " + sum));
        }
    }
}
