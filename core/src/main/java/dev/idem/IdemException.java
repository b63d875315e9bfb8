package dev.idem;

import org.jspecify.annotations.Nullable;

/** The root of everything Idem throws by itself. What an action throws passes through as it is. */
public abstract class IdemException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient @Nullable Address address;

    IdemException(@Nullable Address address, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.address = address;
    }

    /** The operation this is about, or null where it is about the whole ledger. */
    public @Nullable Address address() {
        return address;
    }

    /**
     * Whether the same call may simply be made again: this call ran nothing, and a later one may be answered
     * differently.
     */
    public abstract boolean mayTryAgain();
}
