package dev.idem.agent.retry;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/** Interrupts the thread that made it once its time is over, and never after it was ended. */
final class TimeLimit {
    private enum State {
        RUNS,
        RINGS,
        RANG,
        ENDED
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.RUNS);
    private final Thread worker = Thread.currentThread();
    private final Timing.Alarm alarm;

    TimeLimit(Timing timing, Duration limit) {
        this.alarm = timing.after(limit, this::ring);
    }

    private void ring() {
        if (state.compareAndSet(State.RUNS, State.RINGS)) {
            worker.interrupt();
            state.set(State.RANG);
        }
    }

    /** Ends it, in the worker's thread. The interrupt it may have made is taken back. */
    boolean end() {
        alarm.cancel();
        if (state.compareAndSet(State.RUNS, State.ENDED)) {
            return false;
        }
        while (state.get() != State.RANG) {
            Thread.onSpinWait();
        }
        // An interrupt of somebody else's that came meanwhile can't be told apart and goes with it.
        Thread.interrupted();
        return true;
    }
}
