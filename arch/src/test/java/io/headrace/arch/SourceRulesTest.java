package io.headrace.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Sizes, names and documentation of source files. */
class SourceRulesTest {

    private static final int LEAST_FILES = 100;
    private static final int MOST_MAIN_LINES = 400;
    private static final int MOST_TEST_LINES = 600;
    private static final int MOST_TYPES_A_PACKAGE = 20;
    private static final Pattern BAD_NAME =
            Pattern.compile("(?i)(^|.*)(util|utils|common|helper|helpers|manager|impl)$");
    private static final Pattern TYPE_NAME = Pattern.compile("`([A-Z][A-Za-z0-9]+)`");

    @Test
    void enoughFilesAreScanned() {
        assertThat(Project.mainFiles()).hasSizeGreaterThan(LEAST_FILES);
    }

    @Test
    void filesStayShort() {
        assertThat(
                        Project.javaFiles().stream()
                                .filter(
                                        f ->
                                                Project.lines(f)
                                                        > (f.toString().contains("/src/test/")
                                                                ? MOST_TEST_LINES
                                                                : MOST_MAIN_LINES)))
                .isEmpty();
    }

    @Test
    void packagesStaySmall() {
        Map<Path, Long> types =
                Project.mainFiles().stream()
                        .filter(f -> !f.endsWith("package-info.java"))
                        .collect(
                                Collectors.groupingBy(
                                        SourceRulesTest::folder, Collectors.counting()));
        assertThat(types.entrySet().stream().filter(e -> e.getValue() > MOST_TYPES_A_PACKAGE))
                .isEmpty();
    }

    @Test
    void everyPackageIsDocumentedAndNullMarked() {
        Set<Path> folders = new TreeSet<>();
        Project.mainFiles().forEach(f -> folders.add(folder(f)));
        for (Path folder : folders) {
            Path info = folder.resolve("package-info.java");
            assertThat(Files.exists(info)).as("package-info.java in " + folder).isTrue();
            assertThat(Project.text(info))
                    .as(info.toString())
                    .startsWith("/** ")
                    .contains("@NullMarked");
        }
    }

    @Test
    void noPackageOrTypeHasAnEmptyName() {
        List<Path> bad =
                Project.mainFiles().stream()
                        .filter(
                                f ->
                                        BAD_NAME.matcher(stem(f)).matches()
                                                || BAD_NAME.matcher(
                                                                folder(f).getFileName().toString())
                                                        .matches())
                        .toList();
        assertThat(bad).isEmpty();
    }

    @Test
    void noMarkerOfUnfinishedWorkIsLeft() {
        Pattern marker = Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");
        assertThat(Project.javaFiles().stream().filter(f -> marker.matcher(Project.text(f)).find()))
                .isEmpty();
    }

    @Test
    void typesNamedInTheArchitecturePageExist() {
        Path page = Project.root().resolve("docs/ARCHITECTURE.md");
        Set<String> known =
                Project.mainFiles().stream().map(SourceRulesTest::stem).collect(Collectors.toSet());
        Set<String> named = new TreeSet<>();
        Matcher matcher = TYPE_NAME.matcher(Project.text(page));
        while (matcher.find()) {
            named.add(matcher.group(1));
        }
        assertThat(named).hasSizeGreaterThan(10);
        assertThat(known).containsAll(named);
        assertThat(Project.lines(page)).as("lines of the page").isLessThan(90);
    }

    private static Path folder(Path file) {
        return java.util.Objects.requireNonNull(file.getParent());
    }

    private static String stem(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }
}
