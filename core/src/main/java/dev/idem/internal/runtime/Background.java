package dev.idem.internal.runtime;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Threads for the asynchronous form: virtual where the JDK has them, else daemon threads as needed. */
public final class Background {
    private Background() {}

    /** Created with the first task, so that blocking use starts no thread. */
    public static Executor executor() {
        return new Lazy();
    }

    private static final class Lazy implements Executor {
        private final AtomicReference<@Nullable Executor> made = new AtomicReference<>();

        @Override
        public void execute(Runnable task) {
            Executor executor = made.updateAndGet(there -> there == null ? make() : there);
            Objects.requireNonNull(executor).execute(task);
        }

        private static Executor make() {
            try {
                MethodHandle virtual = MethodHandles.publicLookup()
                        .findStatic(
                                Executors.class,
                                "newVirtualThreadPerTaskExecutor",
                                MethodType.methodType(ExecutorService.class));
                return (ExecutorService) virtual.invokeExact();
            } catch (Throwable notThere) {
                return Executors.newCachedThreadPool(task -> {
                    Thread thread = new Thread(task, "idem-call");
                    thread.setDaemon(true);
                    return thread;
                });
            }
        }
    }
}
