package software.amazon.awssdk.core.exception;

/** Stands in for the SDK's class of this name, with the accessors that are read. */
public class SdkServiceException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;
    private final boolean throttling;

    public SdkServiceException(int status, boolean throttling) {
        super("status " + status);
        this.status = status;
        this.throttling = throttling;
    }

    public int statusCode() {
        return status;
    }

    public boolean isThrottlingException() {
        return throttling;
    }
}
