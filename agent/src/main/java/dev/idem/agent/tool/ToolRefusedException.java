package dev.idem.agent.tool;

/** A call of a tool has no result to give. Its message is what the model is told. */
public final class ToolRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient ToolAnswer.Refused answer;

    ToolRefusedException(ToolAnswer.Refused refused) {
        super(refused.text(), refused.cause());
        this.answer = refused;
    }

    /** The answer that has no result. */
    public ToolAnswer.Refused answer() {
        return answer;
    }
}
