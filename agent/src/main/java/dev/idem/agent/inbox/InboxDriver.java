package dev.idem.agent.inbox;

import dev.idem.spi.Fence;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Handles recorded events in threads of its own until each has ended, also those that an earlier process left behind.
 * Several processes may drive one source: each event is claimed before its handler runs. {@link Inbox#drive} starts it;
 * thread-safe.
 */
public final class InboxDriver implements AutoCloseable {
    /** How an event was taken. */
    public enum Taken {
        /** The event is in the ledger and will be handled: acknowledge it to its source. */
        RECORDED,
        /** The event was handled before: acknowledge it to its source. */
        HANDLED,
        /** The ledger does not store so many bytes. Nothing is recorded. */
        TOO_LARGE,
        /** Another process is recording the event, or the driver is closed. Let the source deliver the event again. */
        UNKNOWN
    }

    private static final System.Logger LOG = System.getLogger("dev.idem.agent");
    private static final int MOST_SCHEDULED = 10_000;
    private static final Duration LONGEST_IN_MEMORY = Duration.ofMinutes(1);

    private final RecordedEvents events;
    private final Pace pace;
    private final int most;
    private final Set<String> scheduled = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor threads;
    /** The newest event of the last look, if there was no room for newer ones. Only {@link #look} uses it. */
    private @Nullable Fence seen;

    InboxDriver(RecordedEvents events, Pace pace) {
        this(events, pace, MOST_SCHEDULED);
    }

    /** A driver that has at most this many events in memory. */
    @SuppressWarnings("FutureReturnValueIgnored") // look() and handle() log their exceptions
    InboxDriver(RecordedEvents events, Pace pace, int most) {
        this.events = events;
        this.pace = pace;
        this.most = most;
        this.threads = new ScheduledThreadPoolExecutor(pace.threads(), work -> {
            Thread thread = new Thread(work, "idem-inbox");
            thread.setDaemon(true);
            return thread;
        });
        threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        threads.scheduleWithFixedDelay(this::look, 0, pace.lookEvery().toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Records an event durably and hands it to the threads. Acknowledge it to its source only if the result is {@link
     * Taken#RECORDED} or {@link Taken#HANDLED}.
     *
     * @throws dev.idem.LedgerException when the ledger can't be reached or read: let the source deliver the event again
     */
    public Taken take(Event event) {
        if (threads.isShutdown()) {
            return Taken.UNKNOWN;
        }
        Taken taken = events.take(event);
        if (taken == Taken.RECORDED) {
            handleNow(events.key(event));
        }
        return taken;
    }

    /** Handles a recorded event now instead of at the next look, if it is due. */
    public void handleNow(String key) {
        scheduleSoon(key, Duration.ZERO);
    }

    /** Half of the room is for older events, which only a look finds. */
    private void scheduleSoon(String key, Duration wait) {
        if (scheduled.size() < most / 2) {
            schedule(key, wait);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored")
    private void schedule(String key, Duration wait) {
        if (scheduled.add(key)) {
            try {
                threads.schedule(() -> handle(key), wait.toMillis(), TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException closed) {
                scheduled.remove(key);
            }
        }
    }

    private void handle(String key) {
        if (threads.isShutdown()) {
            // The executor keeps tasks that are due.
            return;
        }
        @Nullable Duration wait = pace.lookEvery();
        try {
            wait = events.step(key);
        } catch (Throwable e) {
            LOG.log(Level.WARNING, "the event " + key + " is tried again later", e);
        } finally {
            scheduled.remove(key);
        }
        // Later ones are found by looking. Here they would take the room of those that are due.
        if (wait != null && wait.compareTo(pace.lookEvery()) < 0 && wait.compareTo(LONGEST_IN_MEMORY) < 0) {
            scheduleSoon(key, wait);
        }
    }

    /**
     * Takes the oldest events into memory. If there are more, the next look goes on behind them: events that are not due
     * must not keep those behind them from running.
     */
    private void look() {
        int room = most - scheduled.size();
        if (room <= 0) {
            return;
        }
        try {
            List<RecordedEvents.Place> found = events.oldest(room, seen);
            found.forEach(event -> schedule(event.key(), Duration.ZERO));
            seen = found.size() < room ? null : found.get(found.size() - 1).fence();
        } catch (Throwable e) {
            // Also an error: the executor would never look again.
            LOG.log(Level.WARNING, "recorded events can't be looked for", e);
        }
    }

    /** Takes no more events, and waits for running handlers. Events that are not handled are found at the next start. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(pace.closeWait().toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.log(Level.WARNING, "handlers still run; their events are handled again if they do not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
