package io.headrace.app.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** A command that was run in this process: its exit code and what it printed. */
record CommandRun(int code, String out, String err) {

    static CommandRun of(String... args) {
        return of(Headrace.commandLine(), args);
    }

    static CommandRun of(CommandLine command, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int code = command.execute(args);
        return new CommandRun(code, out.toString(), err.toString());
    }
}
