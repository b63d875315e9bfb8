package dev.idem;

import dev.idem.spi.Ticket;
import org.jspecify.annotations.Nullable;

/**
 * The action of this call ran, but another owner had taken the operation over. The ledger keeps the record of that
 * owner. Only this exception holds the value that the action of this call returned.
 * {@link #mayTryAgain()} is always false.
 */
public final class StaleTicketException extends IdemException {
    private static final long serialVersionUID = 1;

    private final transient @Nullable Object value;
    private final transient @Nullable Entry entry;

    public StaleTicketException(
            Ticket ticket, @Nullable Entry entry, @Nullable Object value, @Nullable Throwable cause) {
        super(
                ticket.address(),
                "the ticket for " + ticket.address() + " with fence " + ticket.fence() + " is stale: "
                        + (entry == null
                                ? "the entry is gone"
                                : "the entry is at fence " + entry.fence() + ", "
                                        + entry.state().word())
                        + ". This action ran but was not recorded, and may have taken effect beside its successor; "
                        + "compare both and undo one. Longer leases make this rarer, and so does asking right before the effect "
                        + "whether the call still owns its key",
                cause);
        this.value = value;
        this.entry = entry;
    }

    /** The value that the action returned; null where it threw. */
    public @Nullable Object value() {
        return value;
    }

    /** The entry of the new owner, or null where the entry was forgotten. */
    public @Nullable Entry entry() {
        return entry;
    }

    @Override
    public boolean mayTryAgain() {
        return false;
    }
}
