package dev.idem.agent.guard;

/** A call was stopped before it ran. The message is the one for the model. */
public final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Stopped stopped;

    StoppedException(Stopped stopped) {
        super(stopped.forModel());
        this.stopped = stopped;
    }

    public Stopped stopped() {
        return stopped;
    }
}
