package io.headrace.engine.descriptor;

/** Names a sample for the whole job: the source's place in the recipe and the sample's place in its index. */
public record SampleRef(int source, long index) implements Comparable<SampleRef> {
    public SampleRef {
        if (source < 0 || index < 0) {
            throw new IllegalArgumentException("Negative sample: " + source + "/" + index);
        }
    }

    @Override
    public int compareTo(SampleRef other) {
        return source != other.source
                ? Integer.compare(source, other.source)
                : Long.compare(index, other.index);
    }
}
