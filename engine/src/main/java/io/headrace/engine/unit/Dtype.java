package io.headrace.engine.unit;

/** Element type of a tensor, under the name that safetensors gives it. */
public enum Dtype {
    FLOAT32("F32", 4),
    BFLOAT16("BF16", 2),
    FLOAT64("F64", 8),
    INT64("I64", 8),
    INT32("I32", 4),
    INT16("I16", 2),
    UINT8("U8", 1);

    private final String safetensorsName;
    private final int bytes;

    Dtype(String safetensorsName, int bytes) {
        this.safetensorsName = safetensorsName;
        this.bytes = bytes;
    }

    /** The name in a safetensors header, such as {@code "BF16"}. */
    public String safetensorsName() {
        return safetensorsName;
    }

    /** Size of one element in bytes. */
    public int bytes() {
        return bytes;
    }

    /** The type with this safetensors name. */
    public static Dtype ofSafetensorsName(String name) {
        for (Dtype dtype : values()) {
            if (dtype.safetensorsName.equals(name)) {
                return dtype;
            }
        }
        throw new IllegalArgumentException("Unknown safetensors dtype: " + name);
    }
}
