package dev.idem.agent.session;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The open sessions of a process by their ids, for adapters that are handed an id with every call. The one that was not
 * called for longest is let go when there are too many: it is opened again when it is called again, and only its counts
 * and what its reads have kept are lost.
 */
public final class Sessions {
    private final SessionBuilder model;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Session> open;

    private Sessions(SessionBuilder model, int most) {
        this.model = model;
        this.open = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Session> eldest) {
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

    /** The session with this id. */
    public Session get(String id) {
        lock.lock();
        try {
            return open.computeIfAbsent(id, one -> model.id(one).open());
        } finally {
            lock.unlock();
        }
    }

    /** A session for calls that come without an id: only READs run, and the rest is told which line to add. */
    public Session withoutId(String lineToAdd) {
        return model.id("no-session").readsOnly(lineToAdd).open();
    }

    /** Closes the session with this id, if it is open: its task has ended. */
    public void end(String id) {
        lock.lock();
        try {
            Session ended = open.remove(id);
            if (ended != null) {
                ended.close();
            }
        } finally {
            lock.unlock();
        }
    }
}
