package dev.idem.cli;

import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * The log of the command line: silent, because the answer says everything; with {@code IDEM_DEBUG} set, lines on
 * stderr. Also keeps the JDK's own logging out of the start-up.
 */
public final class Logs extends System.LoggerFinder {
    /** For the service loader. */
    public Logs() {}

    @Override
    public System.Logger getLogger(String name, Module module) {
        String debug = System.getenv("IDEM_DEBUG");
        return new Log(name, debug != null && !debug.isEmpty());
    }

    private record Log(String name, boolean on) implements System.Logger {
        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean isLoggable(Level level) {
            return on && level.getSeverity() >= Level.INFO.getSeverity();
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, @Nullable String text, @Nullable Throwable thrown) {
            if (isLoggable(level)) {
                System.err.println("idem: " + level + " " + text + (thrown == null ? "" : ": " + thrown));
            }
        }

        @Override
        public void log(
                Level level,
                @Nullable ResourceBundle bundle,
                @Nullable String format,
                @Nullable Object @Nullable ... params) {
            log(level, bundle, format, (Throwable) null);
        }
    }
}
