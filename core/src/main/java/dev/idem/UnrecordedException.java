package dev.idem;

import dev.idem.spi.Ticket;
import org.jspecify.annotations.Nullable;

/**
 * The action ran, but its outcome could not be written to the ledger. The entry will be in doubt, or complete if the
 * write arrived and only its answer was lost. {@link #value()} is what the action returned: find the entry later and, if
 * it is in doubt, resolve it with this value. Do not make the same call again: {@link #mayTryAgain()} is always false.
 */
public final class UnrecordedException extends IdemException {
    private static final long serialVersionUID = 1;

    private final transient Ticket ticket;
    private final transient @Nullable Object value;

    public UnrecordedException(Ticket ticket, @Nullable Object value, Throwable cause) {
        super(
                ticket.address(),
                "the action for " + ticket.address() + " ran (fence " + ticket.fence()
                        + "), but its outcome could not be written to the ledger: " + cause.getMessage()
                        + ". The entry will be in doubt; resolve it with the result when the ledger is back",
                cause);
        this.ticket = ticket;
        this.value = value;
    }

    public Ticket ticket() {
        return ticket;
    }

    /** The value that the action returned. */
    public @Nullable Object value() {
        return value;
    }

    @Override
    public boolean mayTryAgain() {
        return false;
    }
}
