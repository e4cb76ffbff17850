package io.headrace.app.cli;

/** What a command's exit status says. */
final class ExitCode {
    static final int OK = 0;

    /** The command was understood and did not succeed. */
    static final int FAILED = 1;

    /** The command line or the recipe is wrong; nothing was started. */
    static final int USAGE = 2;

    private ExitCode() {}
}
