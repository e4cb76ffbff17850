package io.headrace.media.process;

import io.headrace.engine.recipe.ProcessSpec.Model;
import io.headrace.engine.recipe.ProcessSpec.Wire;
import io.headrace.media.decode.Picture;
import io.headrace.media.resize.Lanes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;

/** Prints the lanes of a vector and a checksum of every processor's tensor of a fixed picture. */
final class LanesCheck {
    private static final int WIDTH = 203;
    private static final int HEIGHT = 91;

    private LanesCheck() {}

    static void main(String[] args) throws Exception {
        System.out.println("lanes " + Lanes.COUNT);
        System.out.println(checksums());
    }

    static String checksums() throws Exception {
        byte[] rgb = new byte[3 * WIDTH * HEIGHT];
        new Random(5).nextBytes(rgb);
        MemorySegment memory = Arena.ofAuto().allocate(rgb.length);
        memory.copyFrom(MemorySegment.ofArray(rgb));
        Picture picture = new Picture(memory, WIDTH, HEIGHT);
        StringBuilder text = new StringBuilder();
        for (Model model : List.of(Tensors.CLIP, Tensors.SIGLIP, Tensors.SIGLIP2, Tensors.QWEN)) {
            for (Wire wire : Wire.values()) {
                CRC32 crc = new CRC32();
                crc.update(Tensors.tensor(model, wire, picture));
                text.append(Long.toHexString(crc.getValue())).append(' ');
            }
        }
        return text.toString().trim();
    }
}
