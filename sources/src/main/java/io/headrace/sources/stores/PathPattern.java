package io.headrace.sources.stores;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the files of a path pattern. Braces are expanded in the order in which they are written and each file that they name must exist;
 * {@code *} and {@code ?} stay within a name, {@code **} crosses folders, and what they find is in natural order. Names that begin with
 * a dot are found only by a pattern that has the dot. A file whose very name has such characters is found by that name.
 */
public final class PathPattern {

    private static final int MAX_NAMED_MISSING = 3;

    private PathPattern() {}

    /**
     * The files of several patterns, each once, in order.
     *
     * @param folder where relative patterns start
     * @throws BadPathPattern if a pattern is wrong or finds nothing
     */
    public static List<Path> expandAll(Path folder, List<String> patterns) throws IOException {
        Set<Path> all = new LinkedHashSet<>();
        for (String pattern : patterns) {
            all.addAll(expand(folder, pattern));
        }
        return List.copyOf(all);
    }

    /**
     * The files, or folders, of one pattern: at least one.
     *
     * @param folder where a relative pattern starts
     * @throws BadPathPattern if the pattern is wrong or finds nothing
     */
    public static List<Path> expand(Path folder, String pattern) throws IOException {
        if (pattern.isBlank()) {
            throw new BadPathPattern(pattern, "empty");
        }
        if (pattern.contains("://")) {
            throw new BadPathPattern(pattern, "only files of this machine are read");
        }
        Path literal = folder.resolve(pattern);
        if (Files.exists(literal)) {
            return List.of(literal.normalize());
        }
        Set<Path> found = new LinkedHashSet<>();
        List<String> missing = new ArrayList<>();
        for (String name : Braces.expand(pattern)) {
            if (hasGlob(name)) {
                List<Path> matches = glob(folder, name);
                found.addAll(matches);
                if (matches.isEmpty()) {
                    missing.add(name);
                }
            } else if (Files.exists(folder.resolve(name))) {
                found.add(folder.resolve(name).normalize());
            } else {
                missing.add(name);
            }
        }
        if (!missing.isEmpty()) {
            throw new BadPathPattern(pattern, missingText(folder, found.size(), missing));
        }
        return List.copyOf(found);
    }

    private static String missingText(Path folder, int found, List<String> missing) {
        String names =
                String.join(", ", missing.subList(0, Math.min(MAX_NAMED_MISSING, missing.size())));
        String more = missing.size() > MAX_NAMED_MISSING ? ", ..." : "";
        return found == 0
                ? "nothing matches in %s".formatted(folder)
                : "%d of %d names match nothing in %s: %s%s"
                        .formatted(missing.size(), missing.size() + found, folder, names, more);
    }

    private static boolean hasGlob(String name) {
        return name.indexOf('*') >= 0 || name.indexOf('?') >= 0;
    }

    private static List<Path> glob(Path folder, String pattern) throws IOException {
        List<String> names = List.of(pattern.split("/+"));
        int fixed = 0;
        while (!hasGlob(names.get(fixed))) {
            fixed++;
        }
        Path start = folder;
        if (pattern.startsWith("/")) {
            start = Path.of("/");
        }
        for (String name : names.subList(0, fixed)) {
            start = start.resolve(name);
        }
        if (!Files.isDirectory(start)) {
            return List.of();
        }
        return walk(start.normalize(), names.subList(fixed, names.size()));
    }

    private static List<Path> walk(Path start, List<String> names) throws IOException {
        boolean deep = names.contains("**");
        Pattern regex = Pattern.compile(regex(names));
        try (Stream<Path> paths =
                Files.walk(
                        start,
                        deep ? Integer.MAX_VALUE : names.size(),
                        FileVisitOption.FOLLOW_LINKS)) {
            return paths.filter(p -> !p.equals(start))
                    .filter(p -> regex.matcher(start.relativize(p).toString()).matches())
                    .filter(p -> !deep || Files.isRegularFile(p))
                    .sorted((a, b) -> NaturalOrder.INSTANCE.compare(a.toString(), b.toString()))
                    .toList();
        } catch (UncheckedIOException e) {
            throw new IOException("Folder %s: %s".formatted(start, e.getMessage()), e);
        }
    }

    private static String regex(List<String> names) {
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < names.size(); i++) {
            boolean last = i == names.size() - 1;
            if (names.get(i).equals("**")) {
                regex.append(last ? "(?:[^./][^/]*/)*[^./][^/]*" : "(?:[^./][^/]*/)*");
            } else {
                regex.append(nameRegex(names.get(i))).append(last ? "" : "/");
            }
        }
        return regex.toString();
    }

    private static String nameRegex(String name) {
        StringBuilder regex = new StringBuilder();
        if (name.startsWith("*") || name.startsWith("?")) {
            regex.append("(?!\\.)");
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            switch (c) {
                case '*' -> regex.append("[^/]*");
                case '?' -> regex.append("[^/]");
                default -> regex.append(Pattern.quote(String.valueOf(c)));
            }
        }
        return regex.toString();
    }
}
