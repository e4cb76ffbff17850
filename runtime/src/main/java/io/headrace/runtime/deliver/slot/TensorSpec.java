package io.headrace.runtime.deliver.slot;

import io.headrace.engine.unit.Dtype;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/**
 * Name, element type and shape of one tensor, known before anything is decoded.
 *
 * @param name letters, digits, {@code _}, {@code .} and {@code -}; at most 64 of them
 * @param shape sizes from the outermost dimension to the innermost; empty for a scalar
 */
public record TensorSpec(String name, Dtype dtype, List<Long> shape) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

    public TensorSpec {
        shape = List.copyOf(shape);
        if (!NAME.matcher(name).matches() || name.equals("__metadata__")) {
            throw new IllegalArgumentException("Not a tensor name: \"" + name + "\"");
        }
        for (long side : shape) {
            if (side < 0) {
                throw new IllegalArgumentException(
                        "Tensor \"%s\" has the shape %s".formatted(name, shape));
            }
        }
    }

    public static TensorSpec of(String name, Dtype dtype, long... shape) {
        return new TensorSpec(name, dtype, LongStream.of(shape).boxed().toList());
    }

    public long elements() {
        long elements = 1;
        for (long side : shape) {
            elements = Math.multiplyExact(elements, side);
        }
        return elements;
    }

    public long bytes() {
        return Math.multiplyExact(elements(), (long) dtype.bytes());
    }
}
