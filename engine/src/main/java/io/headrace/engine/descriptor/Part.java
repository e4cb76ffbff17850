package io.headrace.engine.descriptor;

/** One image, video, audio or text of a sample. */
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
     * A video: its main picture stream, from the container's header alone.
     *
     * @param width of the stored frames, in pixels
     * @param height of the stored frames, in pixels
     * @param orientation what turns stored frames upright
     * @param frames frames that are shown, after edit lists
     * @param seconds from the begin of the first frame to the end of the last
     * @param keyFrames frames that decoding can start at
     */
    record Video(
            String field,
            Location location,
            Codec codec,
            int width,
            int height,
            Orientation orientation,
            int frames,
            double seconds,
            int keyFrames)
            implements Part {

        public Video {
            if (width <= 0 || height <= 0 || frames < 0 || keyFrames < 0 || !(seconds >= 0)) {
                throw new IllegalArgumentException(
                        "Video of %d x %d, %d frames in %s s"
                                .formatted(width, height, frames, seconds));
            }
        }

        public int uprightWidth() {
            return orientation.swapsSides() ? height : width;
        }

        public int uprightHeight() {
            return orientation.swapsSides() ? width : height;
        }

        /** Mean frames a second; 0 for a video that takes no time. */
        public double meanRate() {
            return seconds > 0 ? frames / seconds : 0;
        }
    }

    /**
     * A recording or the sound of a video.
     *
     * @param rateHz sample rate as stored
     * @param channels channels as stored
     * @param samples samples of one channel that decoding gives, at the stored rate
     */
    record Audio(
            String field, Location location, Codec codec, int rateHz, int channels, long samples)
            implements Part {

        public Audio {
            if (rateHz <= 0 || channels <= 0 || samples < 0) {
                throw new IllegalArgumentException(
                        "Audio of %d Hz, %d channels, %d samples"
                                .formatted(rateHz, channels, samples));
            }
        }

        public double seconds() {
            return (double) samples / rateHz;
        }
    }

    /**
     * A caption or a conversation. {@code tokens} counts the ids of the rendered text with its template, each placeholder of
     * media counted as none; {@code exact} tells a count by the recipe's tokenizer from an estimate by bytes. Where the payload is a JSON
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
