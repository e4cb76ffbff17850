package io.headrace.media.decode;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/**
 * A native library that is loaded for the life of the process.
 *
 * @param symbols its functions
 * @param where the file or the name under which it was found
 * @param how which step of the search found it
 */
public record NativeLibrary(SymbolLookup symbols, String where, Step how) {

    /** The steps of the search, in order. */
    public enum Step {
        EXPLICIT,
        SYSTEM,
        BUNDLED
    }

    /** A handle on a function that is known to be there. */
    @SuppressWarnings("restricted")
    public MethodHandle function(String name, FunctionDescriptor descriptor) {
        return Linker.nativeLinker().downcallHandle(symbols.findOrThrow(name), descriptor);
    }

    public boolean has(String... names) {
        for (String name : names) {
            if (symbols.find(name).isEmpty()) {
                return false;
            }
        }
        return true;
    }
}
