package dev.idem.agent.tool;

/** A tool returned a result that {@link ToolBuilder#doubtIf} declares as ambiguous. */
public final class DoubtfulResultException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The message does not show the result, which may be secret. */
    public DoubtfulResultException(String tool) {
        super("the result of '" + tool + "' leaves open whether it took effect");
    }
}
