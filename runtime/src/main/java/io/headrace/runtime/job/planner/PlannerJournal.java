package io.headrace.runtime.job.planner;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;

/**
 * The Planner's journal: an H2 file. It is locked by the process that has it open, so two engines of one job never share it, and a killed
 * one leaves no lock behind.
 */
public final class PlannerJournal {

    private PlannerJournal() {}

    /**
     * Makes the journal if there is none, and gives the configuration of an actor system that uses it.
     *
     * @param file path of the journal without H2's suffix
     * @throws IOException if it cannot be opened, such as by a second engine of the same job
     */
    public static Config open(Path file) throws IOException {
        Path absolute = file.toAbsolutePath();
        Files.createDirectories(Objects.requireNonNull(absolute.getParent()));
        String url = "jdbc:h2:file:" + absolute + ";DB_CLOSE_ON_EXIT=FALSE;TRACE_LEVEL_FILE=0";
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(tables());
        } catch (SQLException e) {
            throw new IOException(
                    "The planner's journal %s.mv.db cannot be opened: %s"
                            .formatted(absolute, e.getMessage()),
                    e);
        }
        return ConfigFactory.empty()
                .withValue("headrace.journal-url", ConfigValueFactory.fromAnyRef(url))
                .withFallback(ConfigFactory.parseResources("headrace-engine.conf"))
                .withFallback(ConfigFactory.defaultReference())
                .resolve();
    }

    private static String tables() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(
                        PlannerJournal.class.getResourceAsStream("/headrace-journal.sql"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
