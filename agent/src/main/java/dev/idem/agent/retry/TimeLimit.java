package dev.idem.agent.retry;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/** Interrupts the thread that made it when its time is over, and never after its end. */
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

    /** Ends the limit, in the thread of the worker, and clears the interrupt that it may have set. */
    boolean end() {
        alarm.cancel();
        if (state.compareAndSet(State.RUNS, State.ENDED)) {
            return false;
        }
        while (state.get() != State.RANG) {
            Thread.onSpinWait();
        }
        // An interrupt by other code can't be told apart, and is cleared as well.
        Thread.interrupted();
        return true;
    }
}
