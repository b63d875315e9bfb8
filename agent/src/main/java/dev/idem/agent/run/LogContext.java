package dev.idem.agent.run;

/** Where a logging system takes the values from that it adds to every line of a thread. */
public interface LogContext {
    void put(String name, String value);

    void remove(String name);

    /** Nowhere. */
    static LogContext none() {
        return NoLogContext.INSTANCE;
    }

    /** SLF4J's {@code MDC}, if it is on the class path; else nowhere. */
    static LogContext slf4j() {
        LogContext found = Slf4jMdc.find();
        return found == null ? none() : found;
    }
}
