package io.headrace.runtime.deliver.slot;

/** Where slots lie. */
public enum Backing {
    /** Memory without a name ({@code memfd_create}), which the kernel frees with its last user. */
    MEMORY,
    /** Files in a folder, for ranks that do not see the engine's {@code /proc} entry. */
    FILES
}
