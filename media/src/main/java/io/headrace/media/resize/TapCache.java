package io.headrace.media.resize;

import java.util.LinkedHashMap;
import java.util.Map;

/** The weights of the passes that were used last, since pictures of one source often share a side. Not thread-safe. */
final class TapCache {
    /** A pass of 4,000 to 1,200 positions takes about 75 KB, so the whole is within 20 MB for ordinary pictures. */
    private static final int MOST = 256;

    private final Filter filter;
    private final Map<Key, Taps> passes =
            new LinkedHashMap<>(MOST, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Key, Taps> eldest) {
                    return size() > MOST;
                }
            };
    private final Key asked = new Key();

    TapCache(Filter filter) {
        this.filter = filter;
    }

    /** The pass from {@code in} to {@code out} positions, of which {@code from} to before {@code to} are made. */
    Taps pass(int in, int out, int from, int to) {
        asked.set(in, out, from, to);
        Taps known = passes.get(asked);
        if (known != null) {
            return known;
        }
        Taps made = Taps.of(filter, in, out, from, to);
        passes.put(asked.copy(), made);
        return made;
    }

    /** Mutable, so that asking allocates nothing; keys inside the map are copies that nobody changes. */
    private static final class Key {
        private int in;
        private int out;
        private int from;
        private int to;

        void set(int in, int out, int from, int to) {
            this.in = in;
            this.out = out;
            this.from = from;
            this.to = to;
        }

        Key copy() {
            Key copy = new Key();
            copy.set(in, out, from, to);
            return copy;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key
                    && in == key.in
                    && out == key.out
                    && from == key.from
                    && to == key.to;
        }

        @Override
        public int hashCode() {
            return ((in * 31 + out) * 31 + from) * 31 + to;
        }
    }
}
