package dev.idem;

import dev.idem.spi.Effect;
import dev.idem.spi.Fence;
import dev.idem.spi.ProcessRef;

/** What an action is given while it runs. */
public interface Call {
    Address address();

    /** The key, to be handed to a remote that deduplicates by it. */
    default String key() {
        return address().key();
    }

    /** The fence, to be handed to a remote that refuses lower ones. */
    Fence fence();

    /** How often the action was allowed to run, this time included. */
    int attempt();

    /**
     * Whether this call may still believe that it owns the operation: its ticket was not lost, less than a lease has
     * passed since the last renewal was sent, and its time limit is not over. Costs no I/O.
     */
    boolean stillOwner();

    /**
     * Writes a durable mark before the action goes past a point of no return. Only for {@code staged()} operations.
     *
     * @throws dev.idem.NotExecutedException when the mark could not be written because somebody else has taken
     *     over; let it pass, and nothing has happened
     * @throws IllegalStateException when the operation is not staged
     */
    void mark(String name);

    /** Writes a mark that names a child process: while it lives the key is in flight, even when this process is gone. */
    void mark(String name, ProcessRef child);

    /** Reports what the action did; {@link Effect#CREATED} unless told. */
    void effect(Effect effect);

    /**
     * Reports that a try inside this action ended ambiguously, so that a later definite failure under the same ticket
     * is in doubt all the same.
     */
    void ambiguous(Throwable cause);

    /**
     * Whether this, thrown by a try inside this action, proves that the try has done nothing: by the same rules by which
     * the whole action will be judged. For actions that try again by themselves.
     */
    boolean nothingHappened(Throwable thrown);
}
