package io.headrace.sources.stores;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Expands braces as a shell does: {@code {000..127}} keeps its width, {@code {a,b}} lists, several braces give their product with the
 * last running fastest, and they nest. Braces without a comma or two dots stand for themselves.
 */
final class Braces {

    /** More strings than this are refused: it is a slip, and they would not fit in memory. */
    static final int MAX_STRINGS = 10_000_000;

    private static final Pattern RANGE = Pattern.compile("(\\d+)\\.\\.(\\d+)");

    private final String pattern;

    private Braces(String pattern) {
        this.pattern = pattern;
    }

    static List<String> expand(String pattern) throws BadPathPattern {
        return new Braces(pattern).expandText(pattern);
    }

    private List<String> expandText(String text) throws BadPathPattern {
        int open = text.indexOf('{');
        if (open < 0) {
            return List.of(text);
        }
        int close = closing(text, open);
        List<String> middles = alternatives(text.substring(open + 1, close));
        List<String> rests = expandText(text.substring(close + 1));
        if ((long) middles.size() * rests.size() > MAX_STRINGS) {
            throw new BadPathPattern(
                    pattern,
                    "stands for more than %d files, which is the limit".formatted(MAX_STRINGS));
        }
        String before = text.substring(0, open);
        List<String> all = new ArrayList<>(middles.size() * rests.size());
        for (String middle : middles) {
            for (String rest : rests) {
                all.add(before + middle + rest);
            }
        }
        return all;
    }

    private int closing(String text, int open) throws BadPathPattern {
        int depth = 0;
        for (int i = open; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '{') {
                depth++;
            } else if (c == '}' && --depth == 0) {
                return i;
            }
        }
        throw new BadPathPattern(pattern, "a brace is opened and not closed");
    }

    private List<String> alternatives(String inside) throws BadPathPattern {
        List<String> parts = split(inside);
        if (parts.size() > 1) {
            List<String> all = new ArrayList<>();
            for (String part : parts) {
                all.addAll(expandText(part));
            }
            return all;
        }
        Matcher range = RANGE.matcher(inside);
        if (range.matches()) {
            return numbers(range.group(1), range.group(2));
        }
        if (inside.contains("..")) {
            throw new BadPathPattern(
                    pattern, "'{%s}' is no range of numbers such as {000..127}".formatted(inside));
        }
        return expandText(inside).stream().map(s -> "{" + s + "}").toList();
    }

    private static List<String> split(String inside) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i < inside.length(); i++) {
            char c = inside.charAt(i);
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            if (c == ',' && depth == 0) {
                parts.add(inside.substring(start, i));
                start = i + 1;
            }
        }
        parts.add(inside.substring(start));
        return parts;
    }

    private List<String> numbers(String first, String last) throws BadPathPattern {
        boolean padded = padded(first) || padded(last);
        if (padded && first.length() != last.length()) {
            throw new BadPathPattern(
                    pattern,
                    "'{%s..%s}' has a padded side of another width than the other (%d and %d digits)"
                            .formatted(first, last, first.length(), last.length()));
        }
        if (first.length() > 18 || last.length() > 18) {
            throw new BadPathPattern(pattern, "a number of more than 18 digits");
        }
        long from = Long.parseLong(first);
        long to = Long.parseLong(last);
        if (from > to) {
            throw new BadPathPattern(pattern, "'{%s..%s}' runs backwards".formatted(first, last));
        }
        if (to - from >= MAX_STRINGS) {
            throw new BadPathPattern(
                    pattern,
                    "stands for %d files, the limit is %d".formatted(to - from + 1, MAX_STRINGS));
        }
        String format = padded ? "%0" + first.length() + "d" : "%d";
        List<String> all = new ArrayList<>();
        for (long n = from; n <= to; n++) {
            all.add(format.formatted(n));
        }
        return all;
    }

    private static boolean padded(String number) {
        return number.length() > 1 && number.startsWith("0");
    }
}
