package dev.idem;

import dev.idem.spi.Effect;
import dev.idem.spi.Fence;
import dev.idem.spi.ProcessRef;
import java.time.Duration;

/** The handle of a running action: its key, its fence, and the reports it can make. Thread-safe. */
public interface Call {
    Address address();

    /** The key. Pass it to a remote that deduplicates by it. */
    default String key() {
        return address().key();
    }

    /** The fence. Pass it to a remote that refuses lower fences. */
    Fence fence();

    /** The number of this attempt, counted from 1. */
    int attempt();

    /**
     * Whether this call probably still owns the operation: its ticket was not lost, the last renewal was sent less
     * than a lease ago, and its time limit is not over. Needs no I/O.
     */
    boolean stillOwner();

    /**
     * Writes a durable mark. Call it right before the effect. Only for {@link Policy#staged()} operations.
     *
     * @throws dev.idem.NotExecutedException when another owner has taken over, so the mark was not written. Do not
     *     catch it: it proves that this attempt did nothing
     * @throws StaleTicketException when another owner has taken over after an earlier mark of this attempt
     * @throws IllegalStateException when the operation is not staged
     */
    void mark(String name);

    /** Writes a mark with a child process. While the child lives the key is in flight, even if this process dies. */
    void mark(String name, ProcessRef child);

    /** Reports the effect of the action. Default: {@link Effect#CREATED}. */
    void effect(Effect effect);

    /**
     * Keeps the result for at least this long, where the retention of the policy is shorter. For a result that names
     * something that lives on, such as the handle of a task.
     */
    void keepAtLeast(Duration time);

    /**
     * Reports that a try inside this action ended ambiguously. A later definite failure of the same attempt then
     * counts as in doubt.
     */
    void ambiguous(Throwable cause);

    /**
     * Reports that nothing of this action acts any more at the remote, whatever the action ends with: an answer came, or the
     * process that was started has exited. A probe may then be asked after the {@linkplain Policy#probeGrace(Duration)
     * grace}. Nobody needs to say so of an exception that a known HTTP client has made from a response. Every other one, such
     * as a time-out, a lost connection or an exception that is not known here, tells nothing of the remote: the probe waits
     * as after a crash, for the time limit and then for the grace.
     */
    void remoteEnded();

    /**
     * Whether an earlier attempt, or an earlier try of this one, may have had an effect. Then a refusal of the remote says
     * nothing about that effect, so it is not the result of the operation.
     */
    boolean doubted();

    /**
     * Whether an exception of a try inside this action proves that the try did nothing, by the classifiers of the
     * operation. For actions with their own retries.
     */
    boolean nothingHappened(Throwable thrown);
}
