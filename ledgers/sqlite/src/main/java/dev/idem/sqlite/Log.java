package dev.idem.sqlite;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** The log of this ledger. Loads the logging system with the first line, because that searches every jar. */
final class Log {
    private Log() {}

    private static final class Holder {
        static final Logger LOG = System.getLogger("dev.idem.sqlite");
    }

    static void debug(String line, Throwable cause) {
        Holder.LOG.log(Level.DEBUG, line, cause);
    }

    static void warn(String line, Throwable cause) {
        Holder.LOG.log(Level.WARNING, line, cause);
    }

    static void error(String line, Throwable cause) {
        Holder.LOG.log(Level.ERROR, line, cause);
    }
}
