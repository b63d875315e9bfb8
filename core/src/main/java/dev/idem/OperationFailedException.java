package dev.idem;

import dev.idem.spi.Failure;
import java.util.Objects;

/** The attempt that this call waited for has failed, or the stored failure was replayed. This call ran nothing. */
public final class OperationFailedException extends EntryException {
    private static final long serialVersionUID = 1;

    private final boolean kept;

    public OperationFailedException(Entry entry, boolean kept) {
        super(entry, describe(entry, kept), null);
        this.kept = kept;
    }

    /** Whether the failure is kept: every later call with the key gets it again. */
    public boolean kept() {
        return kept;
    }

    /** The failure that was recorded. */
    public Failure failure() {
        return Objects.requireNonNullElseGet(entry().failure(), () -> new Failure("unknown", ""));
    }

    @Override
    public boolean mayTryAgain() {
        return !kept;
    }

    private static String describe(Entry entry, boolean kept) {
        Failure failure = entry.failure();
        return "attempt " + entry.attempt() + " of " + entry.address() + " failed"
                + (failure == null ? "" : " with " + failure.type() + ": " + failure.message())
                + (kept
                        ? ". The failure is kept and answers every duplicate; use a new key, or forget the entry"
                        : ". Nothing took effect; it may be run again under the same key");
    }
}
