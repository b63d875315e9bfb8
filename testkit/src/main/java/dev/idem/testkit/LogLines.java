package dev.idem.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Collects the warnings of a JDK logger while it is open. */
public final class LogLines extends Handler implements AutoCloseable {
    private final Logger logger;
    private final List<String> warnings = new CopyOnWriteArrayList<>();

    private LogLines(Logger logger) {
        this.logger = logger;
    }

    /** Starts to listen to the logger with this name. */
    public static LogLines of(String name) {
        LogLines lines = new LogLines(Logger.getLogger(name));
        lines.logger.addHandler(lines);
        return lines;
    }

    /** The texts so far, in order. */
    public List<String> warnings() {
        return warnings;
    }

    @Override
    public void publish(LogRecord line) {
        if (line.getLevel().equals(Level.WARNING)) {
            warnings.add(new SimpleFormatter().formatMessage(line));
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
