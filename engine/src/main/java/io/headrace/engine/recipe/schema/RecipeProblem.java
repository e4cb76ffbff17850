package io.headrace.engine.recipe.schema;

/**
 * What is wrong with a recipe, and where.
 *
 * @param path the key, such as {@code mixture.stages[1].weights.web}; empty where none is meant
 * @param nearest what was probably meant; empty where nothing is near
 * @param allowed what could stand here instead; empty where the message says it
 */
public record RecipeProblem(
        Severity severity,
        Place place,
        String path,
        String message,
        String nearest,
        String allowed) {

    private static final int SHOWN_CHARACTERS = 100;
    private static final int SHOWN_BEFORE = 60;

    /** An error refuses the recipe, a warning does not. */
    public enum Severity {
        ERROR,
        WARNING;

        /** As it is written in a message. */
        public String word() {
            return this == ERROR ? "error" : "warning";
        }
    }

    public boolean isError() {
        return severity == Severity.ERROR;
    }

    /** The message as a compiler writes it: place, message, the line with a caret, then help. Several lines. */
    public String text() {
        StringBuilder out = new StringBuilder(place.file());
        if (place.line() > 0) {
            out.append(':').append(place.line()).append(':').append(place.column());
        }
        out.append(": ").append(severity.word()).append(": ");
        if (!path.isEmpty()) {
            out.append(path).append(": ");
        }
        out.append(message);
        if (place.line() > 0) {
            appendLine(out);
        }
        if (!nearest.isEmpty()) {
            out.append("\n      = did you mean: ").append(nearest).append('?');
        }
        if (!allowed.isEmpty()) {
            out.append("\n      = allowed: ").append(allowed);
        }
        return out.toString();
    }

    private void appendLine(StringBuilder out) {
        int[] points = place.lineText().codePoints().toArray();
        int caret = Math.min(place.column() - 1, points.length);
        int from = points.length <= SHOWN_CHARACTERS ? 0 : Math.max(0, caret - SHOWN_BEFORE);
        int to = Math.min(points.length, from + SHOWN_CHARACTERS);
        out.append(String.format("%n%5d | ", place.line()).replace("\r", ""));
        for (int i = from; i < to; i++) {
            out.appendCodePoint(printable(points[i]));
        }
        out.append("\n      | ");
        for (int i = from; i < caret; i++) {
            out.append(points[i] == '\t' ? '\t' : ' ');
        }
        out.append('^');
    }

    private static int printable(int point) {
        return point != '\t' && Character.isISOControl(point) ? '?' : point;
    }
}
