package dev.idem.langchain4j;

/**
 * A tool, such as one of an MCP server, reported an error as its result. This does not tell whether it had an effect,
 * unless its policy says so: {@code Policy.write().definiteOn(ToolReportedErrorException.class)}.
 */
public final class ToolReportedErrorException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ToolReportedErrorException(String message) {
        super(message);
    }
}
