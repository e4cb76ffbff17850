package io.headrace.bench.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.media.text.token.HuggingFaceTokenizer;
import io.headrace.media.text.token.Tokenizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Tokenizes the lines of a text on one thread: {@code TokenizerBench TEXT TOKENIZER_JSON...}. Each vocabulary runs the lines as they are
 * and with one letter outside ASCII at each end of line, which keeps the cache of words out of it. All take turns, round by round; the
 * median of the rounds is printed.
 */
public final class TokenizerBench {

    private static final int ROUNDS = 9;
    private static final int PASSES = 40;

    private TokenizerBench() {}

    private record Run(String name, Tokenizer tokenizer, List<String> lines, List<Double> seconds) {

        void round() {
            long start = System.nanoTime();
            long tokens = 0;
            for (int pass = 0; pass < PASSES; pass++) {
                tokens += tokens();
            }
            if (tokens == 0) {
                throw new IllegalStateException("No tokens");
            }
            seconds.add((System.nanoTime() - start) / 1e9);
        }

        long tokens() {
            return lines.stream().mapToLong(line -> tokenizer.ids(line, false).length).sum();
        }

        void print() {
            long bytes = lines.stream().mapToLong(line -> line.getBytes(UTF_8).length).sum();
            double median = seconds.stream().sorted().toList().get(seconds.size() / 2) / PASSES;
            System.out.printf(
                    "%s: %.1f MB/s, %.1f us a line of %d bytes, %.2f bytes a token%n",
                    name,
                    bytes / 1e6 / median,
                    median / lines.size() * 1e6,
                    bytes / lines.size(),
                    (double) bytes / tokens());
        }
    }

    public static void main(String[] arguments) throws IOException {
        List<String> lines =
                Files.readAllLines(Path.of(arguments[0])).stream()
                        .map(String::strip)
                        .filter(line -> !line.isEmpty())
                        .toList();
        List<String> accented = lines.stream().map(line -> line + "\u00e9").toList();
        List<Run> runs = new ArrayList<>();
        for (String file : List.of(arguments).subList(1, arguments.length)) {
            long start = System.nanoTime();
            Tokenizer tokenizer = HuggingFaceTokenizer.open(Path.of(file));
            System.out.printf("%s opened in %.0f ms%n", file, (System.nanoTime() - start) / 1e6);
            runs.add(new Run(file + " ASCII", tokenizer, lines, new ArrayList<>()));
            runs.add(new Run(file + " accented", tokenizer, accented, new ArrayList<>()));
        }
        for (int round = 0; round < ROUNDS; round++) {
            runs.forEach(Run::round);
        }
        runs.forEach(Run::print);
        runs.forEach(run -> run.tokenizer().close());
    }
}
