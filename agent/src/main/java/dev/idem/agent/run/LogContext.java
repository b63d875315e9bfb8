package dev.idem.agent.run;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Where a logging system takes the values from that it adds to every line of a thread. */
public interface LogContext {
    void put(String name, String value);

    void remove(String name);

    /** Nowhere. */
    static LogContext none() {
        return None.INSTANCE;
    }

    /** SLF4J's {@code MDC}, if it is on the class path; else nowhere. */
    static LogContext slf4j() {
        LogContext found = Mdc.find();
        return found == null ? none() : found;
    }

    /** Ignores everything. */
    enum None implements LogContext {
        INSTANCE;

        @Override
        public void put(String name, String value) {}

        @Override
        public void remove(String name) {}
    }

    /** Calls the two methods of {@code org.slf4j.MDC} without depending on it. */
    record Mdc(Method put, Method remove) implements LogContext {
        private static @Nullable LogContext find() {
            try {
                Class<?> mdc = Class.forName("org.slf4j.MDC");
                return new Mdc(mdc.getMethod("put", String.class, String.class), mdc.getMethod("remove", String.class));
            } catch (ReflectiveOperationException | LinkageError e) {
                return null;
            }
        }

        @Override
        public void put(String name, String value) {
            invoke(put, name, value);
        }

        @Override
        public void remove(String name) {
            invoke(remove, name);
        }

        private static void invoke(Method method, Object... arguments) {
            try {
                method.invoke(null, arguments);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("SLF4J's MDC can't be used", e);
            }
        }
    }
}
