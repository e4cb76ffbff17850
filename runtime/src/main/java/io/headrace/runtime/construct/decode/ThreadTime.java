package io.headrace.runtime.construct.decode;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** CPU time of the calling thread: what other work on the cores takes does not enter. */
public final class ThreadTime {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final boolean KNOWN = THREADS.isCurrentThreadCpuTimeSupported();

    private ThreadTime() {}

    /** Nanoseconds of CPU that the thread has had; time that passed where the system does not tell. */
    public static long nanos() {
        return KNOWN ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
    }
}
