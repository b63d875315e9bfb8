package dev.idem.agent.guard;

/** A call was stopped before it ran. The message is the one for the model. */
public final class StoppedCallException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient StoppedCall stopped;

    StoppedCallException(StoppedCall stopped) {
        super(stopped.forModel());
        this.stopped = stopped;
    }

    public StoppedCall stopped() {
        return stopped;
    }
}
