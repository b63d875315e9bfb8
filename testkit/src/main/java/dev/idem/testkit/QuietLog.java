package dev.idem.testkit;

import java.util.logging.Logger;

/**
 * Keeps the lines of a logger of the JDK off the console while tests run that cause many warnings on purpose. Handlers of
 * the logger itself, such as {@link LogLines}, still get them. Test classes that run at the same time share one of these:
 * the first turns the lines off, and the last turns them on again.
 */
final class QuietLog {
    private final Logger logger;
    private int users;
    private boolean before;

    QuietLog(Logger logger) {
        this.logger = logger;
    }

    synchronized void begin() {
        if (users++ == 0) {
            before = logger.getUseParentHandlers();
            logger.setUseParentHandlers(false);
        }
    }

    synchronized void end() {
        if (--users == 0) {
            logger.setUseParentHandlers(before);
        }
    }
}
