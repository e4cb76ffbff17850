package io.headrace.sources.formats;

/** A payload that is in memory: part of an array. */
public final class ArrayPayload implements Payload {

    private final byte[] bytes;
    private final int offset;
    private final int length;

    /**
     * @param bytes not copied
     */
    public ArrayPayload(byte[] bytes, int offset, int length) {
        this.bytes = bytes;
        this.offset = offset;
        this.length = length;
    }

    @Override
    public long lengthBytes() {
        return length;
    }

    @Override
    public int read(long offsetBytes, byte[] target, int wanted) {
        int count = (int) Math.max(0, Math.min(wanted, length - offsetBytes));
        System.arraycopy(bytes, (int) (offset + offsetBytes), target, 0, count);
        return count;
    }
}
