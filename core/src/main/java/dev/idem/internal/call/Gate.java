package dev.idem.internal.call;

import java.util.concurrent.atomic.LongAdder;

/** Lets calls begin while the engine is open, and counts those that run. */
final class Gate {
    /** The engine behind this gate. */
    final Frame.EngineId engine = new Frame.EngineId();

    private final Heartbeats heartbeats;
    /** Two counters that only grow: cheap for calls, and consistent when {@code over} is read first. */
    private final LongAdder sent = new LongAdder();

    private final LongAdder over = new LongAdder();
    private volatile boolean closed;

    Gate(Heartbeats heartbeats) {
        this.heartbeats = heartbeats;
    }

    /** While closing, a running operation may still call its inner operations: else it would end in doubt. */
    void requireOpen() {
        if (closed && (heartbeats.closed() || !Frame.inside(engine))) {
            throw new IllegalStateException("Idem is closed; open it for as long as calls are made");
        }
    }

    /** From now on no call begins. */
    void close() {
        closed = true;
    }

    /** A claim is about to be sent. Until {@link #claimed()}, its call counts as running. */
    void claiming() {
        sent.increment();
    }

    /** The claim was answered and, if granted, its ticket is held. */
    void claimed() {
        over.increment();
    }

    /** The number of running actions, including those whose claim is still unanswered. */
    long running() {
        // In this order: a ticket that is held just before its claim counts as over must not be missed.
        long ended = over.sum();
        return sent.sum() - ended + heartbeats.running();
    }
}
