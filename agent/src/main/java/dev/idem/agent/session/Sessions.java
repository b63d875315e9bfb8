package dev.idem.agent.session;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The open sessions of a process by their ids, for adapters that are handed an id with every call. The one that was not
 * called for longest is let go when there are too many: it is opened again when it is called again, and only its counts
 * and what its reads have kept are lost.
 */
public final class Sessions {
    private final SessionBuilder model;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Run> open;

    /** The tools that were called without an id, each of which is told to the developer once. */
    private final Set<String> calledWithoutId = ConcurrentHashMap.newKeySet();

    /** A session, as one run of the agent has it. */
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

    /** At most a thousand sessions, all opened like this one. */
    public static Sessions like(SessionBuilder model) {
        return like(model, 1000);
    }

    /** At most so many sessions, all opened like this one. */
    public static Sessions like(SessionBuilder model, int most) {
        if (most < 1) {
            throw new IllegalArgumentException("there is room for at least one session, not " + most);
        }
        return new Sessions(model, most);
    }

    /** The session with this id, as its newest run has it. */
    public Session get(String id) {
        return get(id, null);
    }

    /**
     * The session with this id, as a run of the agent has it. A new run begins to count anew, so that the loop guard
     * does not hold against it what the run before it has called.
     *
     * @param run what tells one run from the next; null where the framework has nothing of the kind
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
     * A session for calls that come without an id: only READs run, and the rest is told which line to add. The log
     * warns once for each tool.
     */
    public Session withoutId(String lineToAdd) {
        // A name of its own each time: callers without one must not share what they have read.
        return model.id("no-session-" + UUID.randomUUID())
                .readsOnly(new MissingId(lineToAdd, calledWithoutId))
                .open();
    }

    /** Closes the session with this id, if it is open: its task has ended. */
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
