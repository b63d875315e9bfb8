package dev.idem.agent.tool;

/** A tool returned a result that its {@link ToolBuilder#doubtIf} says leaves open whether it took effect. */
public final class DoubtfulResultException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Says nothing of the result, which may be secret. */
    public DoubtfulResultException(String tool) {
        super("the result of '" + tool + "' leaves open whether it took effect");
    }
}
