package dev.idem.clikit.call;

import dev.idem.NotExecutedException;
import dev.idem.command.Answer;
import dev.idem.command.Signals;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Handles the signals of a call. Before the command acts, a signal ends the call; while it acts, its thread is
 * interrupted; afterwards a signal only changes the exit code.
 */
public final class Interruption {
    private final Signals signals;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicBoolean answered = new AtomicBoolean();
    private volatile boolean acted;

    /** {@code worker} is the thread that runs the command. */
    public Interruption(Thread worker) {
        this.signals = new Signals(worker);
    }

    public void receive(String name, int number) {
        signals.receive(name, number);
    }

    /**
     * The command begins to act, unless a signal came before.
     *
     * @param changes whether it may change anything
     */
    void begin(boolean changes) {
        if (!signals.begin()) {
            Signals.Caught before = caught();
            String name = before == null ? "a signal" : "SIG" + before.name();
            throw new NotExecutedException(name + " came before the command began");
        }
        acted = changes;
    }

    /** The command has acted. */
    void end() {
        signals.ended();
    }

    public Signals.@Nullable Caught caught() {
        return signals.caught();
    }

    /** Whether the command may have changed something by now. */
    public boolean acted() {
        return acted;
    }

    /** True for the first thread that asks: only one thread may write the answer. */
    public boolean mayAnswer() {
        return answered.compareAndSet(false, true);
    }

    /** Counted down when the answer is written. */
    public CountDownLatch ended() {
        return ended;
    }

    /**
     * The answer of a call that a signal ended.
     *
     * @param command the answer of the command; null if it did not end within its grace
     */
    public Answer answer(Signals.Caught caught, @Nullable Answer command) {
        Map<String, @Nullable Object> data = command == null ? null : command.data();
        Map<String, @Nullable Object> error = command == null ? null : command.error();
        boolean nothing = !acted || (command != null && command.mayRetry());
        boolean partial = false;
        String fate;
        if (nothing) {
            fate = "Nothing was done";
        } else if (data != null && command != null && command.exit() == 0) {
            fate = "By then it was done (" + data.get("effect") + "); the same call with the same key gives its result";
        } else {
            partial = true;
            fate = "It is unknown whether it took effect, so its key is in doubt"
                    + (error == null ? "" : ": " + error.get("message"));
        }
        Answer answer = Answer.cancelled(caught.exit(), partial, "SIG" + caught.name() + " ended this call. " + fate)
                .retryable(nothing);
        return command == null ? answer : answer.metaOf(command);
    }

    /** Waits until the answering thread ends the process. Ignores interrupts. */
    public static void awaitTheEnd() {
        CountDownLatch never = new CountDownLatch(1);
        boolean interrupted;
        do {
            try {
                never.await();
                interrupted = false;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        } while (interrupted);
    }
}
