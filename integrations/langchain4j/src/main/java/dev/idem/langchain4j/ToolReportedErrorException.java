package dev.idem.langchain4j;

/**
 * A tool, such as one of an MCP server, answered with an error instead of throwing one. That says nothing about what it
 * had done before, unless the tool is declared so: {@code tool.policy(Policy.unset().definiteOn(ToolReportedErrorException.class))}.
 */
public final class ToolReportedErrorException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ToolReportedErrorException(String message) {
        super(message);
    }
}
