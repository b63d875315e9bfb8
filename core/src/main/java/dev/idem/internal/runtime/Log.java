package dev.idem.internal.runtime;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The log of the engine. Loads the logging system with the first line, because loading costs more than a call. */
public final class Log {
    private Log() {}

    private static final class Holder {
        static final Logger LOG = System.getLogger("dev.idem");
    }

    public static void info(Supplier<String> line) {
        Holder.LOG.log(Level.INFO, line);
    }

    public static void warn(Supplier<String> line, @Nullable Throwable cause) {
        Holder.LOG.log(Level.WARNING, line, cause);
    }

    /** A warning for an exception that says in its message all that a reader needs: its stack is a line for debugging. */
    public static void warnInOneLine(Supplier<String> line, Throwable cause) {
        Holder.LOG.log(Level.WARNING, () -> line.get() + ": " + cause.getMessage());
        debug(line, cause);
    }

    public static void debug(Supplier<String> line, @Nullable Throwable cause) {
        Holder.LOG.log(Level.DEBUG, line, cause);
    }

    public static void error(Supplier<String> line, Throwable cause) {
        Holder.LOG.log(Level.ERROR, line, cause);
    }
}
