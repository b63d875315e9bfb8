package dev.idem;

/** The thread was interrupted while it waited for a running duplicate. Nothing was run; its interrupt flag is set. */
public final class WaitInterruptedException extends IdemException {
    private static final long serialVersionUID = 1;

    public WaitInterruptedException(Address address, InterruptedException cause) {
        super(address, "interrupted while waiting for " + address + ", which runs elsewhere. Nothing was run", cause);
    }

    @Override
    public boolean mayTryAgain() {
        return true;
    }
}
