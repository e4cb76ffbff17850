package io.headrace.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.joran.spi.JoranException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An event is one line on standard error. */
class LogLineTest {
    private final LoggerContext context = new LoggerContext();

    @BeforeEach
    void configure() throws JoranException {
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(
                Objects.requireNonNull(LogLineTest.class.getResource("/logback.xml")));
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    private String line(String message, @Nullable Throwable failure) {
        Logger logger = context.getLogger("io.headrace.runtime.job.Example");
        LoggingEvent event = new LoggingEvent("", logger, Level.WARN, message, failure, null);
        return new String(stderr().getEncoder().encode(event), StandardCharsets.UTF_8);
    }

    @SuppressWarnings("unchecked") // the configuration names the appender's class
    private ConsoleAppender<ILoggingEvent> stderr() {
        return (ConsoleAppender<ILoggingEvent>)
                Objects.requireNonNull(
                        context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("STDERR"));
    }

    @Test
    void eventsGoToStandardError() {
        assertThat(stderr().getTarget()).isEqualTo("System.err");
    }

    @Test
    void aPlainEventEndsWithItsMessage() {
        assertThat(line("step 3 planned", null))
                .matches("\\d\\d:\\d\\d:\\d\\d\\.\\d{3} WARN  Example: step 3 planned\\R");
    }

    @Test
    void lineEndsAndFailuresStayInTheLine() {
        assertThat(line("bad\n  sample", new IllegalStateException("no\nthing")))
                .contains("Example: bad sample java.lang.IllegalStateException: no thing")
                .hasLineCount(1);
    }
}
