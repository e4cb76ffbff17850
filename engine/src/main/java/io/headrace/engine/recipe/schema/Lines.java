package io.headrace.engine.recipe.schema;

import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.Node;

/** The lines of a recipe, to give each node its place. */
public final class Lines {
    private final String file;
    private final String[] lines;

    Lines(String file, String text) {
        this.file = file;
        this.lines = text.split("\r\n|[\n\r\u0085\u2028\u2029]", -1);
    }

    Place of(Node node) {
        return of(node.getStartMark());
    }

    Place of(Mark mark) {
        return at(mark.getLine() + 1, mark.getColumn() + 1);
    }

    /** Line and column from 1. */
    Place at(int line, int column) {
        int known = Math.clamp(line, 1, lines.length);
        return new Place(file, known, Math.max(1, column), lines[known - 1]);
    }

    /** The place of a code point of the text; all line ends are counted as one. */
    Place atCodePoint(String text, int index) {
        int line = 1;
        int column = 1;
        int seen = 0;
        for (int i = 0; i < text.length() && seen < index; i = text.offsetByCodePoints(i, 1)) {
            boolean end = text.charAt(i) == '\n';
            line += end ? 1 : 0;
            column = end ? 1 : column + 1;
            seen++;
        }
        return at(line, column);
    }
}
