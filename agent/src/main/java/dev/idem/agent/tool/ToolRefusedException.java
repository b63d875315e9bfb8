package dev.idem.agent.tool;

import dev.idem.agent.tool.ToolAnswer.Status;

/** A call of a tool has no result to give. Its message is what the model is told. */
public final class ToolRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String tool;
    private final Status status;

    ToolRefusedException(ToolAnswer.Refused refused) {
        super(refused.text(), refused.cause());
        this.tool = refused.tool();
        this.status = refused.status();
    }

    public String tool() {
        return tool;
    }

    public Status status() {
        return status;
    }
}
