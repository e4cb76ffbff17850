package io.headrace.engine.descriptor;

/** One image or text of a sample. */
public sealed interface Part {

    /** Field of the sample that the part came from, such as {@code jpg} or {@code image}. */
    String field();

    Location location();

    Codec codec();

    /**
     * A picture. {@code width} and {@code height} are those of the stored picture in pixels; {@code uprightWidth()} and
     * {@code uprightHeight()} are those after its EXIF orientation is applied.
     */
    record Image(
            String field,
            Location location,
            Codec codec,
            int width,
            int height,
            Orientation orientation)
            implements Part {

        public Image {
            if (width <= 0 || height <= 0) {
                throw new IllegalArgumentException("Picture of %d x %d".formatted(width, height));
            }
        }

        public int uprightWidth() {
            return orientation.swapsSides() ? height : width;
        }

        public int uprightHeight() {
            return orientation.swapsSides() ? width : height;
        }
    }

    /**
     * A caption or a conversation. {@code tokens} counts the ids of the rendered text with its template, each image placeholder
     * counted as none; {@code exact} tells a count by the recipe's tokenizer from an estimate by bytes. Where the payload is a JSON
     * object, the field may carry the key of the text inside after a {@code #}: {@code json#caption}, {@code #conversations}.
     */
    record Text(String field, Location location, Codec codec, int tokens, boolean exact)
            implements Part {

        /** Stands in a field between the member and the key inside it. */
        public static final char SELECTOR = '#';

        public Text {
            if (tokens < 0) {
                throw new IllegalArgumentException("Negative token count: " + tokens);
            }
        }

        /** The key, or the keys joined by dots, of the text inside a JSON object; empty: none is named. */
        public String selector() {
            return field.substring(
                    field.indexOf(SELECTOR) < 0 ? field.length() : field.indexOf(SELECTOR) + 1);
        }
    }
}
