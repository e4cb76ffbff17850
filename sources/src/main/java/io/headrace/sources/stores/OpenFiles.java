package io.headrace.sources.stores;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Files that are held open, at most so many; the one that was used longest ago is closed first, once nobody reads it. Thread-safe: any
 * number of threads may read one file, and a thread that is interrupted while it reads does not disturb the others.
 */
public final class OpenFiles implements AutoCloseable {

    private static final int MAX_REOPENS = 16;

    private final int limit;
    private final Map<Path, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * @param limit files held open while nobody reads them
     */
    public OpenFiles(int limit) {
        this.limit = limit;
    }

    private static final class Entry {
        private final LocalFile file;
        private int readers;
        private boolean retired;

        private Entry(LocalFile file) {
            this.file = file;
        }
    }

    /** What is done with an open file. */
    private interface Use<T> {
        T of(LocalFile file) throws IOException;
    }

    /** Reads from a file into memory; answers the bytes read, fewer than asked for only at its end. */
    public int read(Path path, long offsetBytes, MemorySegment into) throws IOException {
        return with(path, file -> file.read(offsetBytes, into));
    }

    /** Size of a file. */
    public long lengthBytes(Path path) throws IOException {
        return with(path, LocalFile::lengthBytes);
    }

    /** Files that are open now. */
    public int size() {
        synchronized (entries) {
            return entries.size();
        }
    }

    private <T> T with(Path path, Use<T> use) throws IOException {
        for (int attempt = 0; ; attempt++) {
            Entry entry = acquire(path);
            boolean broken = true;
            try {
                T result = use.of(entry.file);
                broken = false;
                return result;
            } catch (ClosedByInterruptException e) {
                throw e;
            } catch (ClosedChannelException e) {
                // another reader was interrupted, which closed the file under this one
                if (attempt == MAX_REOPENS) {
                    throw e;
                }
            } finally {
                release(path, entry, broken);
            }
        }
    }

    private Entry acquire(Path path) throws IOException {
        List<LocalFile> surplus = new ArrayList<>();
        try {
            synchronized (entries) {
                Entry entry = entries.get(path);
                if (entry == null) {
                    entry = new Entry(LocalFile.open(path));
                    entries.put(path, entry);
                    retireSurplus(surplus, entry);
                }
                entry.readers++;
                return entry;
            }
        } finally {
            close(surplus);
        }
    }

    private void retireSurplus(List<LocalFile> surplus, Entry kept) {
        Iterator<Entry> oldest = entries.values().iterator();
        while (entries.size() > limit && oldest.hasNext()) {
            Entry entry = oldest.next();
            if (entry.readers == 0 && entry != kept) {
                oldest.remove();
                surplus.add(entry.file);
            }
        }
    }

    private void release(Path path, Entry entry, boolean broken) throws IOException {
        boolean close;
        synchronized (entries) {
            entry.readers--;
            if (broken && !entry.retired) {
                entry.retired = true;
                entries.remove(path, entry);
            }
            close = entry.retired && entry.readers == 0;
        }
        if (close) {
            entry.file.close();
        }
    }

    private static void close(List<LocalFile> files) throws IOException {
        for (LocalFile file : files) {
            file.close();
        }
    }

    @Override
    public void close() throws IOException {
        List<LocalFile> idle = new ArrayList<>();
        synchronized (entries) {
            for (Entry entry : entries.values()) {
                entry.retired = true;
                if (entry.readers == 0) {
                    idle.add(entry.file);
                }
            }
            entries.clear();
        }
        close(idle);
    }
}
