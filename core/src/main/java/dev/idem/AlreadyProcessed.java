package dev.idem;

/** The request was processed before. Its result can be had from {@link RequestStore#result}. */
public final class AlreadyProcessed extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String requestId;

    public AlreadyProcessed(String requestId) {
        super("request '" + requestId + "' was already processed; ask the store for its result");
        this.requestId = requestId;
    }

    public String requestId() {
        return requestId;
    }
}
