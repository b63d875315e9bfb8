package dev.idem.agent.session;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The open sessions of a process by their ids, for adapters that get an id with every call. Thread-safe.
 *
 * <pre>{@code
 * Sessions sessions = Sessions.like(Session.builder(idem));
 * ToolAnswer answer = sessions.get("order-flow-abc125").call(call);
 * }</pre>
 *
 * <p>When there are too many, the least recently used one is dropped. The next call opens it again; only its counts and
 * its cached reads are lost.
 */
public final class Sessions {
    private final SessionBuilder model;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Run> open;

    /** The tools that were called without an id. The log names each of them once. */
    private final Set<String> calledWithoutId = ConcurrentHashMap.newKeySet();

    /** A session of one run of the agent. */
    private record Run(@Nullable Object id, Session session) {}

    private Sessions(SessionBuilder model, int most) {
        this.model = model;
        this.open = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Run> eldest) {
                return size() > most;
            }
        };
    }

    /** At most 1,000 sessions, opened by this builder. */
    public static Sessions like(SessionBuilder model) {
        return like(model, 1000);
    }

    /**
     * At most so many sessions, opened by this builder.
     *
     * @throws IllegalArgumentException if it is less than one
     */
    public static Sessions like(SessionBuilder model, int most) {
        if (most < 1) {
            throw new IllegalArgumentException("there is room for at least one session, not " + most);
        }
        return new Sessions(model, most);
    }

    /** The session with this id and its newest run. */
    public Session get(String id) {
        return get(id, null);
    }

    /**
     * The session with this id for one run of the agent. Each run has its own counts, so that the loop guard does not count
     * the calls of an earlier run.
     *
     * @param run identifies the run; null where the framework has no such id
     */
    public Session get(String id, @Nullable Object run) {
        lock.lock();
        try {
            Run newest = open.get(id);
            if (newest == null || (run != null && !run.equals(newest.id()))) {
                newest = new Run(run, model.id(id).open());
                open.put(id, newest);
            }
            return newest.session();
        } finally {
            lock.unlock();
        }
    }

    /**
     * A session for a call without an id. Only READs run; other tools are refused, and the answer names the line of code
     * to add. The log warns once for each tool.
     */
    public Session withoutId(String lineToAdd) {
        // A random id each time: callers without an id must not share cached reads.
        return model.id("no-session-" + UUID.randomUUID())
                .readsOnly(new MissingId(lineToAdd, calledWithoutId))
                .open();
    }

    /** Closes the session with this id, if it is open. */
    public void end(String id) {
        lock.lock();
        try {
            Run ended = open.remove(id);
            if (ended != null) {
                ended.session().close();
            }
        } finally {
            lock.unlock();
        }
    }
}
