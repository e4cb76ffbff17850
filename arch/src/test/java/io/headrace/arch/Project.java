package io.headrace.arch;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The classes and source files of the whole project. */
final class Project {

    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .importPackages("io.headrace");

    private Project() {}

    static JavaClasses classes() {
        return CLASSES;
    }

    static Path root() {
        return Path.of(Objects.requireNonNull(System.getProperty("headrace.root")));
    }

    /** Java files of all modules, main and test, but nothing that is built. */
    static List<Path> javaFiles() {
        try (Stream<Path> files = Files.walk(root())) {
            return files.filter(f -> f.toString().endsWith(".java"))
                    .filter(f -> f.toString().contains("/src/"))
                    .filter(f -> !f.toString().contains("/target/"))
                    .filter(f -> !f.toString().contains("/.venv/"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Path> mainFiles() {
        return javaFiles().stream().filter(f -> f.toString().contains("/src/main/")).toList();
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static long lines(Path file) {
        return text(file).lines().count();
    }
}
