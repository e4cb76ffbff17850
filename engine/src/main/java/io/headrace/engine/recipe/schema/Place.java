package io.headrace.engine.recipe.schema;

/**
 * Where something stands in a recipe.
 *
 * @param line from 1; 0 where the file as a whole is meant
 * @param column from 1, in code points; 0 where the file as a whole is meant
 * @param lineText the line itself, to be shown with a message
 */
public record Place(String file, int line, int column, String lineText) {

    /** The file as a whole. */
    public static Place ofFile(String file) {
        return new Place(file, 0, 0, "");
    }
}
