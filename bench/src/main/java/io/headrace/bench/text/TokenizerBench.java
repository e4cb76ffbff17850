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
 * Tokenizes the lines of a text on one thread: {@code TokenizerBench TEXT TOKENIZER_JSON...}. Vocabularies take turns, round by round;
 * the median of the rounds is printed.
 */
public final class TokenizerBench {

    private static final int ROUNDS = 9;
    private static final int PASSES = 40;

    private TokenizerBench() {}

    public static void main(String[] arguments) throws IOException {
        List<String> lines =
                Files.readAllLines(Path.of(arguments[0])).stream()
                        .filter(l -> !l.isBlank())
                        .toList();
        long bytes = lines.stream().mapToLong(line -> line.getBytes(UTF_8).length).sum();
        List<Tokenizer> tokenizers = new ArrayList<>();
        List<List<Double>> seconds = new ArrayList<>();
        for (int i = 1; i < arguments.length; i++) {
            long start = System.nanoTime();
            tokenizers.add(HuggingFaceTokenizer.open(Path.of(arguments[i])));
            System.out.printf(
                    "%s opened in %.0f ms%n", arguments[i], (System.nanoTime() - start) / 1e6);
            seconds.add(new ArrayList<>());
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < tokenizers.size(); i++) {
                seconds.get(i).add(seconds(tokenizers.get(i), lines));
            }
        }
        for (int i = 0; i < tokenizers.size(); i++) {
            double median = seconds.get(i).stream().sorted().toList().get(ROUNDS / 2);
            int tokens = tokens(tokenizers.get(i), lines);
            System.out.printf(
                    "%s: %.2f MB/s, %.1f us a line of %d bytes, %.2f bytes a token%n",
                    arguments[i + 1],
                    PASSES * bytes / 1e6 / median,
                    median / PASSES / lines.size() * 1e6,
                    bytes / lines.size(),
                    (double) bytes / tokens);
            tokenizers.get(i).close();
        }
    }

    private static int tokens(Tokenizer tokenizer, List<String> lines) {
        return lines.stream().mapToInt(line -> tokenizer.ids(line, false).length).sum();
    }

    private static double seconds(Tokenizer tokenizer, List<String> lines) {
        long start = System.nanoTime();
        long tokens = 0;
        for (int pass = 0; pass < PASSES; pass++) {
            for (String line : lines) {
                tokens += tokenizer.ids(line, true).length;
            }
        }
        if (tokens == 0) {
            throw new IllegalStateException("No tokens");
        }
        return (System.nanoTime() - start) / 1e9;
    }
}
