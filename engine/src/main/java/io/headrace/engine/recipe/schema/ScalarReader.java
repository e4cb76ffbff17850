package io.headrace.engine.recipe.schema;

import io.headrace.engine.recipe.schema.Type.Choice;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One plain value of the recipe: its text, checked against its type. Quoted numbers are texts. */
public final class ScalarReader {
    private static final Pattern WHOLE = Pattern.compile("[-+]?(0|[1-9][0-9_]*)");
    private static final Pattern REAL =
            Pattern.compile("[-+]?([0-9][0-9_]*\\.?[0-9_]*|\\.[0-9_]+)([eE][-+]?[0-9]+)?");
    private static final Pattern TIME = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");
    private static final Map<String, Long> MILLIS =
            Map.of("ms", 1L, "s", 1000L, "m", 60_000L, "h", 3_600_000L);
    private static final int LONGEST_NUMBER = 100;
    private static final int SHOWN = 60;

    private ScalarReader() {}

    /** What came of a text. */
    sealed interface Outcome {
        record Read(Object data) implements Outcome {}

        record Wrong(String message, String nearest) implements Outcome {}
    }

    static Outcome read(String text, boolean quoted, Type type) {
        if (text.length() > LONGEST_NUMBER && !(type instanceof Type.Text)) {
            return new Outcome.Wrong(shown(text) + " is too long", "");
        }
        return switch (type) {
            case Type.Whole whole -> quoted ? quoted(text, "whole number") : whole(text, whole);
            case Type.Real real -> quoted ? quoted(text, "number") : real(text, real);
            case Type.Text _ ->
                    text.isBlank()
                            ? new Outcome.Wrong("an empty text", "")
                            : new Outcome.Read(text);
            case Type.Time time -> time(text, time);
            case Choice choice -> choice(text, choice);
            case Type.Section _, Type.Items _, Type.Named _, Type.Absent _ ->
                    new Outcome.Wrong(shown(text) + " where more is wanted", "");
        };
    }

    private static Outcome quoted(String text, String wanted) {
        return new Outcome.Wrong(
                "a quoted text " + shown(text) + " where a " + wanted + " is wanted",
                REAL.matcher(text).matches() ? text : "");
    }

    private static Outcome whole(String text, Type.Whole type) {
        if (!WHOLE.matcher(text).matches()) {
            return new Outcome.Wrong(shown(text) + " is not a whole number", wholeNear(text));
        }
        BigInteger value = new BigInteger(text.replace("_", ""));
        BigInteger min = BigInteger.valueOf(type.min());
        BigInteger max = BigInteger.valueOf(type.max());
        if (value.compareTo(min) < 0) {
            return new Outcome.Wrong(shown(text) + " is too small", Long.toString(type.min()));
        }
        if (value.compareTo(max) > 0) {
            return new Outcome.Wrong(shown(text) + " is too large", Long.toString(type.max()));
        }
        return new Outcome.Read(value.longValueExact());
    }

    /** What was meant by 64.0, 1e6 or 007; empty where that is not clear. */
    private static String wholeNear(String text) {
        if (!REAL.matcher(text).matches()) {
            return "";
        }
        double value = Double.parseDouble(text.replace("_", ""));
        return value == Math.rint(value) && Math.abs(value) < 1e15 ? "" + (long) value : "";
    }

    private static Outcome real(String text, Type.Real type) {
        Optional<Double> number = number(text);
        if (number.isEmpty()) {
            return new Outcome.Wrong(shown(text) + " is not a number", "");
        }
        double value = number.get();
        if (!Double.isFinite(value)) {
            return new Outcome.Wrong(shown(text) + " is not finite", "");
        }
        return value < type.min()
                ? new Outcome.Wrong(shown(text) + " is too small", "")
                : new Outcome.Read(value + 0.0);
    }

    private static Optional<Double> number(String text) {
        String plain = text.replace("_", "");
        if (REAL.matcher(text).matches()) {
            return Optional.of(Double.parseDouble(plain));
        }
        return switch (plain.toLowerCase(Locale.ROOT)) {
            case ".nan", "nan" -> Optional.of(Double.NaN);
            case ".inf", "+.inf", "inf", "infinity" -> Optional.of(Double.POSITIVE_INFINITY);
            case "-.inf", "-inf", "-infinity" -> Optional.of(Double.NEGATIVE_INFINITY);
            default -> Optional.empty();
        };
    }

    private static Outcome time(String text, Type.Time type) {
        Matcher time = TIME.matcher(text);
        if (!time.matches()) {
            boolean bare = WHOLE.matcher(text).matches();
            return new Outcome.Wrong(
                    shown(text) + (bare ? " has no unit" : " is not a time"),
                    bare && text.length() < 9 ? text + "s" : "");
        }
        long millis = Long.parseLong(time.group(1)) * MILLIS.getOrDefault(time.group(2), 1L);
        if (millis < type.minMillis()) {
            return new Outcome.Wrong(shown(text) + " is too short", type.minMillis() + "ms");
        }
        return millis > type.maxMillis()
                ? new Outcome.Wrong(shown(text) + " is too long", type.maxMillis() / 1000 + "s")
                : new Outcome.Read(millis);
    }

    private static Outcome choice(String text, Choice type) {
        for (Choice.Option option : type.options()) {
            if (option.word().equals(text)) {
                return new Outcome.Read(option.value());
            }
        }
        return new Outcome.Wrong(shown(text) + " is not known", Nearest.of(text, type.words()));
    }

    /** A text as a message shows it. */
    public static String shown(String text) {
        int points = text.codePointCount(0, text.length());
        String cut =
                points <= SHOWN
                        ? text
                        : text.substring(0, text.offsetByCodePoints(0, SHOWN)) + "...";
        return "'" + cut.replaceAll("\\p{Cntrl}", "?") + "'";
    }
}
