package dev.idem.agent.run;

import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Starts runs and carries them to other threads. Immutable and thread-safe. */
public final class Runs {
    private final Supplier<RunId> ids;
    private final LogContext log;

    private Runs(Supplier<RunId> ids, LogContext log) {
        this.ids = ids;
        this.log = log;
    }

    /** Ids by the clock of this machine; log lines through SLF4J's {@code MDC} where there is one. */
    public static Runs standard() {
        return new Runs(new RunIds(), LogContext.slf4j());
    }

    /** Makes ids another way. */
    public Runs ids(Supplier<RunId> source) {
        return new Runs(source, log);
    }

    /** Puts the ids into the log lines of another logging system. */
    public Runs log(LogContext context) {
        return new Runs(ids, context);
    }

    /** A child of the current run, or a first run where there is none. */
    public Run start() {
        return new Run(this, ids.get(), Run.current().map(Run::id).orElse(null));
    }

    /**
     * A child of the run that has sent a request, or a first run where it sent no id that can be read.
     *
     * @param header gives the value of a header, or null
     */
    public Run startFrom(UnaryOperator<@Nullable String> header) {
        return new Run(this, ids.get(), RunId.parse(header.apply(Run.HEADER)));
    }

    Run childOf(RunId parent) {
        return new Run(this, ids.get(), parent);
    }

    LogContext log() {
        return log;
    }

    /** Wraps a task, so that it runs in the run that is current now, in any thread. */
    public static Runnable carry(Runnable task) {
        Run run = Run.current().orElse(null);
        if (run == null) {
            return task;
        }
        return () -> run.run(task);
    }

    /** Wraps a task, so that it runs in the run that is current now, in any thread. */
    public static <T extends @Nullable Object> Callable<T> carry(Callable<T> task) {
        Run run = Run.current().orElse(null);
        if (run == null) {
            return task;
        }
        return () -> run.call(task);
    }

    /** Wraps an executor, so that each task runs in the run that was current when it was submitted. */
    public static Executor carrying(Executor executor) {
        return task -> executor.execute(carry(task));
    }
}
