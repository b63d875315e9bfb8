package dev.idem.agent.run;

import dev.idem.ThreadLabels;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A thread inside of a run. Close it in the same thread to return to the previous run. */
public final class Entered implements AutoCloseable {
    private final Run run;
    private final @Nullable Run before;
    private final ThreadLabels labels;
    private boolean closed;

    Entered(Run run) {
        this.run = run;
        this.before = Run.swap(run);
        this.labels = ThreadLabels.enter(labelsIn(run));
        logged(before, run);
    }

    private static Map<String, String> labelsIn(Run run) {
        Map<String, String> labels = new HashMap<>(ThreadLabels.current());
        labels.keySet().removeAll(List.of(Run.LABEL, Run.PARENT_LABEL));
        labels.putAll(run.labels());
        return labels;
    }

    public Run run() {
        return run;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            labels.close();
            Run.swap(before);
            logged(run, before);
        }
    }

    /** Exceptions of the logging system must not prevent entering or leaving. */
    private static void logged(@Nullable Run old, @Nullable Run now) {
        try {
            log(old, now);
        } catch (RuntimeException e) {
            System.getLogger("dev.idem.agent").log(Level.WARNING, "a run could not be named in log lines", e);
        }
    }

    private static void log(@Nullable Run old, @Nullable Run now) {
        Map<String, String> names = now == null ? Map.of() : now.labels();
        if (old != null) {
            for (String name : old.labels().keySet()) {
                if (now == null || now.log() != old.log() || !names.containsKey(name)) {
                    old.log().remove(name);
                }
            }
        }
        if (now != null) {
            names.forEach(now.log()::put);
        }
    }
}
