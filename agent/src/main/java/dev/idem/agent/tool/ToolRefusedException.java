package dev.idem.agent.tool;

/** A call of a tool has no result. The message is the text for the model. */
public final class ToolRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient ToolAnswer.Refused answer;

    ToolRefusedException(ToolAnswer.Refused refused) {
        super(refused.text(), refused.cause());
        this.answer = refused;
    }

    /** The answer without a result. */
    public ToolAnswer.Refused answer() {
        return answer;
    }
}
