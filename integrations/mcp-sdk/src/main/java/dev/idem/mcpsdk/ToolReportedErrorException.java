package dev.idem.mcpsdk;

/**
 * The handler of a tool gave a result with {@code isError}. This does not tell whether it had an effect, unless its policy
 * says so: {@code Policy.write().definiteOn(ToolReportedErrorException.class)}.
 */
public final class ToolReportedErrorException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ToolReportedErrorException(String message) {
        super(message);
    }
}
