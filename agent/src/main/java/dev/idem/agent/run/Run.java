package dev.idem.agent.run;

import dev.idem.Operation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * One run of an agent, or of a part of it, and the run that started it. Immutable and thread-safe.
 *
 * <pre>{@code
 * Run run = Runs.standard().start();
 * run.run(() -> {
 *     // Run.current() is this run, here and in the tasks of a carrying executor
 * });
 * }</pre>
 */
public final class Run {
    /** The header that carries the id of the run which makes the request. */
    public static final String HEADER = "Idem-Run-Id";

    /** The header that carries the id of the run which started that one. */
    public static final String PARENT_HEADER = "Idem-Parent-Run-Id";

    /** The environment variable that tells {@code idem} and programs built with its kit which run they belong to. */
    public static final String VARIABLE = "IDEM_RUN_ID";

    /** The label on entries, and the name in log lines. */
    public static final String LABEL = "run";

    /** The label on entries, and the name in log lines, of the parent. */
    public static final String PARENT_LABEL = "run.parent";

    private static final ThreadLocal<@Nullable Run> CURRENT = new ThreadLocal<>();

    private final Runs runs;
    private final RunId id;
    private final @Nullable RunId parent;

    Run(Runs runs, RunId id, @Nullable RunId parent) {
        this.runs = runs;
        this.id = id;
        this.parent = parent;
    }

    /** The run that this thread's code belongs to. */
    public static Optional<Run> current() {
        return Optional.ofNullable(CURRENT.get());
    }

    static @Nullable Run swap(@Nullable Run next) {
        Run before = CURRENT.get();
        if (next == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(next);
        }
        return before;
    }

    public RunId id() {
        return id;
    }

    /** The run that started this one; empty for the first. */
    public Optional<RunId> parent() {
        return Optional.ofNullable(parent);
    }

    /** A run that this one starts. */
    public Run child() {
        return runs.childOf(id);
    }

    /** Makes it the current run of this thread. Close the result in the same thread to leave the run. */
    public Entered enter() {
        return new Entered(this);
    }

    /** Runs the task inside of this run. */
    public void run(Runnable task) {
        Entered inside = enter();
        try {
            task.run();
        } finally {
            inside.close();
        }
    }

    /** Calls the task inside of this run. */
    public <T extends @Nullable Object> T call(Callable<? extends T> task) throws Exception {
        Entered inside = enter();
        try {
            return task.call();
        } finally {
            inside.close();
        }
    }

    /**
     * Labels the entry of an operation with this run and its parent, for calls outside of the run. Calls inside of it get
     * these labels automatically.
     */
    public <T extends @Nullable Object> Operation<T> label(Operation<T> operation) {
        Operation<T> labelled = operation.label(LABEL, id.value());
        return parent == null ? labelled : labelled.label(PARENT_LABEL, parent.value());
    }

    /** The headers of a request, with which the other side can start a child of this run. */
    public Map<String, String> headers() {
        return named(HEADER, PARENT_HEADER);
    }

    /** The environment variables of a process whose {@code idem} commands belong to this run. */
    public Map<String, String> environment() {
        return Map.of(VARIABLE, id.value());
    }

    Map<String, String> labels() {
        return named(LABEL, PARENT_LABEL);
    }

    LogContext log() {
        return runs.log();
    }

    private Map<String, String> named(String own, String parents) {
        Map<String, String> names = new LinkedHashMap<>();
        names.put(own, id.value());
        if (parent != null) {
            names.put(parents, parent.value());
        }
        return names;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Run that && id.equals(that.id) && Objects.equals(parent, that.parent);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    @Override
    public String toString() {
        return parent == null ? id.value() : id + " of " + parent;
    }
}
