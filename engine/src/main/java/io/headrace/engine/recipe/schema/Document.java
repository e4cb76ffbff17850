package io.headrace.engine.recipe.schema;

import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.reader.ReaderException;

/**
 * The YAML of a recipe as a tree of nodes that know their place. Size, nesting and aliases are bounded, so that no file
 * can hold the reader up.
 */
public record Document(Lines lines, Node root) {
    /** A list of 20,000 shards fits well; a data file given by mistake does not. */
    public static final int LARGEST_BYTES = 4 << 20;

    private static final int DEEPEST_NESTING = 32;
    private static final int MOST_ALIASES = 200;

    public static Optional<Document> parse(String file, byte[] bytes, Problems problems) {
        return decode(file, bytes, problems).flatMap(text -> compose(file, text, problems));
    }

    private static Optional<String> decode(String file, byte[] bytes, Problems problems) {
        CharsetDecoder utf8 =
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT);
        CharBuffer text = CharBuffer.allocate(bytes.length + 1);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CoderResult result = utf8.decode(in, text, true);
        String read = text.flip().toString();
        if (result.isError()) {
            int points = read.codePointCount(0, read.length());
            Place place = new Lines(file, read).atCodePoint(read, points);
            problems.error(place, "", "not UTF-8 at byte " + in.position());
            return Optional.empty();
        }
        return Optional.of(read.startsWith("\uFEFF") ? read.substring(1) : read);
    }

    private static Optional<Document> compose(String file, String text, Problems problems) {
        Lines lines = new Lines(file, text);
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(LARGEST_BYTES);
        options.setNestingDepthLimit(DEEPEST_NESTING);
        options.setMaxAliasesForCollections(MOST_ALIASES);
        try {
            Node root = new Yaml(options).compose(new StringReader(text));
            if (root == null) {
                problems.error(Place.ofFile(file), "", "the recipe is empty");
                return Optional.empty();
            }
            return Optional.of(new Document(lines, root));
        } catch (MarkedYAMLException e) {
            Place place =
                    e.getProblemMark() == null ? Place.ofFile(file) : lines.of(e.getProblemMark());
            problems.error(place, "", "not valid YAML: " + oneLine(e.getProblem()));
        } catch (ReaderException e) {
            problems.error(
                    lines.atCodePoint(text, e.getPosition()),
                    "",
                    String.format("character U+%04X is not allowed in YAML", e.getCodePoint()));
        } catch (RuntimeException e) {
            // The YAML library reports its limits, and some bad escapes, as plain exceptions.
            problems.error(Place.ofFile(file), "", "not valid YAML: " + oneLine(e.getMessage()));
        }
        return Optional.empty();
    }

    private static String oneLine(@Nullable String message) {
        return message == null ? "no reason given" : message.strip().replaceAll("\\s+", " ");
    }
}
