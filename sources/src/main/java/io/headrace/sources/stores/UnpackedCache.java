package io.headrace.sources.stores;

import java.io.Closeable;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Decompressed bytes, kept up to a limit; what was used longest ago goes first, once nobody reads it. What is larger than the limit is
 * refused at once. Each is made once, while others wait for it. Thread-safe.
 *
 * @param <K> what the bytes are of
 * @param <V> the bytes
 */
public final class UnpackedCache<K, V extends Closeable> implements AutoCloseable {

    private final long limitBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<K, Entry<V>> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long heldBytes;

    public UnpackedCache(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Makes the bytes of a key. */
    public interface Maker<V> {
        V make() throws IOException;
    }

    /** Tells how many bytes a key has, before they are made. */
    public interface Size {
        long bytes() throws IOException;
    }

    /** Reads the bytes while they are held. */
    public interface Use<V, R> {
        R of(V value) throws IOException;
    }

    private static final class Entry<V> {
        private final long bytes;
        private @Nullable V value;
        private int users;

        private Entry(long bytes) {
            this.bytes = bytes;
        }
    }

    public long limitBytes() {
        return limitBytes;
    }

    /** Bytes that are held now. */
    public long heldBytes() {
        lock.lock();
        try {
            return heldBytes;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Uses the bytes of a key, which are made first if they are not held.
     *
     * @param name what errors call it
     * @param size asked only if they are not held
     * @throws IOException if they are more than the limit; both numbers are named
     */
    public <R> R use(K key, String name, Size size, Maker<V> maker, Use<V, R> use)
            throws IOException, InterruptedException {
        Entry<V> entry = held(key);
        if (entry == null) {
            long bytes = size.bytes();
            if (bytes > limitBytes) {
                throw new IOException(
                        "%s has %d bytes decompressed, the limit of the cache is %d; raise the limit, or unpack the file"
                                .formatted(name, bytes, limitBytes));
            }
            entry = acquire(key, bytes, maker);
        }
        try {
            return use.of(Objects.requireNonNull(entry.value));
        } finally {
            release(entry);
        }
    }

    private @Nullable Entry<V> held(K key) {
        lock.lock();
        try {
            Entry<V> entry = entries.get(key);
            if (entry == null || entry.value == null) {
                return null;
            }
            entry.users++;
            return entry;
        } finally {
            lock.unlock();
        }
    }

    private Entry<V> acquire(K key, long bytes, Maker<V> maker)
            throws IOException, InterruptedException {
        Entry<V> own = new Entry<>(bytes);
        lock.lockInterruptibly();
        try {
            while (true) {
                Entry<V> entry = entries.get(key);
                if (entry == null && makeRoom(bytes)) {
                    own.users = 1;
                    entries.put(key, own);
                    heldBytes += bytes;
                    break;
                }
                if (entry != null && entry.value != null) {
                    entry.users++;
                    return entry;
                }
                changed.await();
            }
        } finally {
            lock.unlock();
        }
        fill(key, own, maker);
        return own;
    }

    private void fill(K key, Entry<V> entry, Maker<V> maker) throws IOException {
        V value = null;
        try {
            value = maker.make();
        } finally {
            lock.lock();
            try {
                entry.value = value;
                if (value == null) {
                    entries.remove(key, entry);
                    heldBytes -= entry.bytes;
                }
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private boolean makeRoom(long bytes) throws IOException {
        Iterator<Entry<V>> oldest = entries.values().iterator();
        while (heldBytes + bytes > limitBytes && oldest.hasNext()) {
            Entry<V> entry = oldest.next();
            V value = entry.value;
            if (entry.users == 0 && value != null) {
                oldest.remove();
                heldBytes -= entry.bytes;
                value.close();
            }
        }
        return heldBytes + bytes <= limitBytes;
    }

    private void release(Entry<V> entry) {
        lock.lock();
        try {
            entry.users--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        lock.lock();
        try {
            for (Entry<V> entry : entries.values()) {
                V value = entry.value;
                if (value != null) {
                    value.close();
                }
            }
            entries.clear();
            heldBytes = 0;
        } finally {
            lock.unlock();
        }
    }
}
