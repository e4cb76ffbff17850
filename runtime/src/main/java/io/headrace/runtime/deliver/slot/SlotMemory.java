package io.headrace.runtime.deliver.slot;

/** Where regions come from. Safe for use by several threads. */
sealed interface SlotMemory extends AutoCloseable permits NamelessMemory, FolderMemory {

    /**
     * A region of exactly this many bytes, all pages present.
     *
     * @throws SlotException if there is no room, naming the bytes needed and free
     */
    Region allocate(long id, long bytes);

    /** Bytes that can still be allocated now. */
    long freeBytes();

    /** What the memory is called in messages. */
    String place();

    /** Forgets a region that has been freed. */
    void forget(Region region);

    @Override
    void close();
}
