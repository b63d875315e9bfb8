package dev.idem.agent.run;

/** The context from which a logging system adds values to the lines of a thread. */
public interface LogContext {
    void put(String name, String value);

    void remove(String name);

    /** No context. */
    static LogContext none() {
        return NoLogContext.INSTANCE;
    }

    /** SLF4J's {@code MDC}, if it is on the class path; else none. */
    static LogContext slf4j() {
        LogContext found = Slf4jMdc.find();
        return found == null ? none() : found;
    }
}
