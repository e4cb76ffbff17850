package io.headrace.sources.formats;

import io.headrace.engine.descriptor.MediaKind;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The name of a tar member or of a file in a folder, split at the first dot of its last path part: what comes before, folders included,
 * is the key of the sample; what comes after, in lower case, is the field.
 */
public record MemberName(String key, String field) {

    private static final Set<String> PICTURES =
            Set.of(
                    "jpg", "jpeg", "jpe", "jfif", "png", "webp", "gif", "bmp", "tif", "tiff",
                    "avif", "mpo");
    private static final Set<String> VIDEOS =
            Set.of("mp4", "m4v", "mov", "mkv", "webm", "avi", "3gp");
    private static final Set<String> AUDIOS =
            Set.of("wav", "flac", "mp3", "ogg", "oga", "opus", "m4a", "aac");
    private static final Set<String> CLUTTER =
            Set.of(".ds_store", "thumbs.db", "desktop.ini", "readme", "readme.md", "readme.txt");

    /** Splits a name. A name without a dot has an empty field. */
    public static MemberName of(String name) {
        int last = name.lastIndexOf('/') + 1;
        int dot = name.indexOf('.', last);
        return dot < 0
                ? new MemberName(name, "")
                : new MemberName(
                        name.substring(0, dot), name.substring(dot + 1).toLowerCase(Locale.ROOT));
    }

    /** Whether a name is what systems and people leave beside data: hidden files, AppleDouble, READMEs, names without a field. */
    public static boolean isClutter(String name) {
        String last = name.substring(name.lastIndexOf('/') + 1);
        return last.startsWith(".")
                || last.indexOf('.') < 0
                || name.startsWith("__MACOSX/")
                || name.contains("/__MACOSX/")
                || CLUTTER.contains(last.toLowerCase(Locale.ROOT));
    }

    /** The kind of media that a field is named like, by its last extension; empty for anything else. */
    public static Optional<MediaKind> kind(String field) {
        String extension = field.substring(field.lastIndexOf('.') + 1);
        if (PICTURES.contains(extension)) {
            return Optional.of(MediaKind.IMAGE);
        }
        if (VIDEOS.contains(extension)) {
            return Optional.of(MediaKind.VIDEO);
        }
        return AUDIOS.contains(extension) ? Optional.of(MediaKind.AUDIO) : Optional.empty();
    }
}
