package dev.idem.agent.run;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Calls the two methods of {@code org.slf4j.MDC} without depending on it. */
record Slf4jMdc(Method put, Method remove) implements LogContext {
    static @Nullable LogContext find() {
        try {
            Class<?> mdc = Class.forName("org.slf4j.MDC");
            return new Slf4jMdc(
                    mdc.getMethod("put", String.class, String.class), mdc.getMethod("remove", String.class));
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
