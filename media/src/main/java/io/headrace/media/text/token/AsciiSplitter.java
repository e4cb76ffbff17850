package io.headrace.media.text.token;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Cuts ASCII text into the pieces that a byte-level BPE vocabulary tokenizes one by one: special tokens first, then the words of its
 * regular expression. Only for settings under which a piece alone has the ids that it has within a text; of ASCII alone, since there
 * Unicode's normal forms change nothing and {@code \s} means the same to all regular expressions.
 */
final class AsciiSplitter {

    /** The expression of a ByteLevel pre-tokenizer that has none of its own. */
    private static final String BYTE_LEVEL =
            "'(?:[sdmt]|ll|ve|re)| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";

    /** What makes a match depend on its surroundings, or means something else in Ruby's syntax. */
    private static final Pattern CONTEXT =
            Pattern.compile("\\(\\?[=!<>]|\\\\[bBAGzZ]|(?<!\\[)\\^|\\$|[0-9,]\\}\\+|&&");

    private static final Pattern SPACES = Pattern.compile("\\s+");

    private final @Nullable Pattern specials;

    /** First characters of the special tokens: a text without any of them is not searched further. */
    private final String specialStarts;

    private final Pattern words;
    private final boolean keepsGaps;
    private final boolean lowers;
    private final boolean joinsSpaces;

    private AsciiSplitter(
            List<String> specials,
            Pattern words,
            boolean keepsGaps,
            boolean lowers,
            boolean joinsSpaces) {
        this.specials = anyOf(specials);
        this.specialStarts =
                specials.stream()
                        .map(token -> token.substring(0, 1))
                        .distinct()
                        .collect(Collectors.joining());
        this.words = words;
        this.keepsGaps = keepsGaps;
        this.lowers = lowers;
        this.joinsSpaces = joinsSpaces;
    }

    /** A splitter for the settings of a {@code tokenizer.json}; empty where pieces cannot be tokenized alone. */
    static Optional<AsciiSplitter> of(JsonNode head) {
        JsonNode model = head.path("model");
        if (!model.path("type").asText().equals("BPE") || model.path("dropout").isNumber()) {
            return Optional.empty();
        }
        boolean lowers = false;
        boolean joins = false;
        for (JsonNode step : steps(head.path("normalizer"), "normalizers")) {
            switch (step.path("type").asText()) {
                case "NFC", "NFD", "NFKC", "NFKD" -> {}
                case "Lowercase" -> lowers = true;
                case "Replace" -> {
                    if (!step.at("/pattern/Regex").asText().equals("\\s+")
                            || !step.path("content").asText().equals(" ")) {
                        return Optional.empty();
                    }
                    joins = true;
                }
                default -> {
                    return Optional.empty();
                }
            }
        }
        return split(head, lowers, joins);
    }

    private static Optional<AsciiSplitter> split(JsonNode head, boolean lowers, boolean joins) {
        List<JsonNode> steps = steps(head.path("pre_tokenizer"), "pretokenizers");
        if (steps.isEmpty() || steps.size() > 2) {
            return Optional.empty();
        }
        JsonNode bytes = steps.getLast();
        JsonNode split = steps.getFirst();
        boolean alone = steps.size() == 1;
        String cut = split.path("behavior").asText() + split.path("invert").asText();
        boolean usable =
                bytes.path("type").asText().equals("ByteLevel")
                        && !bytes.path("add_prefix_space").asBoolean(true)
                        && (alone
                                ? bytes.path("use_regex").asBoolean(true)
                                : split.path("type").asText().equals("Split")
                                        && (cut.equals("Isolatedfalse")
                                                || cut.equals("Removedtrue")));
        String expression = alone ? BYTE_LEVEL : split.at("/pattern/Regex").asText();
        Optional<List<String>> added = added(head.path("added_tokens"));
        if (!usable
                || expression.isEmpty()
                || CONTEXT.matcher(expression.replace("(?!\\S)", "")).find()
                || added.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new AsciiSplitter(
                            added.get(),
                            Pattern.compile(expression),
                            !cut.equals("Removedtrue"),
                            lowers,
                            joins));
        } catch (PatternSyntaxException e) {
            return Optional.empty();
        }
    }

    private static List<JsonNode> steps(JsonNode node, String list) {
        List<JsonNode> steps = new ArrayList<>();
        if (node.path("type").asText().equals("Sequence")) {
            node.path(list).forEach(steps::add);
        } else if (node.isObject()) {
            steps.add(node);
        }
        return steps;
    }

    /** The texts of the added tokens; empty if one takes its surroundings in. */
    private static Optional<List<String>> added(JsonNode tokens) {
        List<String> texts = new ArrayList<>();
        for (JsonNode token : tokens) {
            if (token.path("lstrip").asBoolean()
                    || token.path("rstrip").asBoolean()
                    || token.path("single_word").asBoolean()
                    || token.path("normalized").asBoolean()) {
                return Optional.empty();
            }
            texts.add(token.path("content").asText());
        }
        texts.removeIf(String::isEmpty);
        return Optional.of(texts);
    }

    /** Leftmost, and of several there the longest, as the library searches. */
    private static @Nullable Pattern anyOf(List<String> texts) {
        if (texts.isEmpty()) {
            return null;
        }
        return Pattern.compile(
                texts.stream()
                        .sorted(Comparator.comparingInt(String::length).reversed())
                        .map(Pattern::quote)
                        .collect(Collectors.joining("|")));
    }

    static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    /** Hands out the pieces of an ASCII text in order. */
    void split(String text, Consumer<String> pieces) {
        int from = 0;
        if (specials != null) {
            Matcher special = specials.matcher(text);
            for (int at = start(text, 0); at >= 0; at = start(text, at)) {
                if (special.region(at, text.length()).lookingAt()) {
                    splitWords(text.substring(from, at), pieces);
                    pieces.accept(special.group());
                    from = special.end();
                    at = from;
                } else {
                    at++;
                }
            }
        }
        splitWords(from == 0 ? text : text.substring(from), pieces);
    }

    /** First place from {@code from} on where a special token may start; -1 if there is none. */
    private int start(String text, int from) {
        int first = -1;
        for (int i = 0; i < specialStarts.length(); i++) {
            int at = text.indexOf(specialStarts.charAt(i), from);
            first = at >= 0 && (first < 0 || at < first) ? at : first;
        }
        return first;
    }

    private void splitWords(String text, Consumer<String> pieces) {
        String normal = joinsSpaces ? SPACES.matcher(text).replaceAll(" ") : text;
        normal = lowers ? normal.toLowerCase(Locale.ROOT) : normal;
        if (specials != null
                && (lowers || joinsSpaces)
                && start(normal, 0) >= 0
                && specials.matcher(normal).find()) {
            // Only after normalization does it look like a special token: the library must see it
            // as it was.
            pieces.accept(text);
            return;
        }
        Matcher word = words.matcher(normal);
        int from = 0;
        while (word.find()) {
            if (keepsGaps && word.start() > from) {
                pieces.accept(normal.substring(from, word.start()));
            }
            pieces.accept(word.group());
            from = word.end();
        }
        if (keepsGaps && from < normal.length()) {
            pieces.accept(normal.substring(from));
        }
    }
}
