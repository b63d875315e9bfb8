package dev.idem;

import dev.idem.spi.Ticket;
import org.jspecify.annotations.Nullable;

/**
 * This caller's action ran, but somebody else had taken the operation over meanwhile. The ledger keeps the successor's
 * record; what this action returned is handed back here and nowhere else.
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
                        + "compare both and undo one. Longer leases and call.stillOwner() make this rarer",
                cause);
        this.value = value;
        this.entry = entry;
    }

    /** What the action returned, if it returned. */
    public @Nullable Object value() {
        return value;
    }

    /** The entry as the successor left it, or null where it was forgotten. */
    public @Nullable Entry entry() {
        return entry;
    }

    @Override
    public boolean mayTryAgain() {
        return false;
    }
}
