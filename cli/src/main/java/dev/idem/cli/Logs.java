package dev.idem.cli;

import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * The log of the command line: silent, because the answer says everything; a server's warnings, and with {@code IDEM_DEBUG}
 * set all lines, go to stderr. Also keeps the JDK's own logging out of the start-up.
 */
public final class Logs extends System.LoggerFinder {
    private static volatile boolean serving;

    /** For the service loader. */
    public Logs() {}

    /** Shows warnings: nobody waits for the answer of a server. */
    static void serve() {
        serving = true;
    }

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
            return (on || serving) && level.getSeverity() >= (on ? Level.INFO : Level.WARNING).getSeverity();
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
            String text = format == null || params == null ? format : MessageFormat.format(format, params);
            log(level, bundle, text, (Throwable) null);
        }
    }
}
