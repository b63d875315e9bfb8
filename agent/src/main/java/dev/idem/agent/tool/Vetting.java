package dev.idem.agent.tool;

/** The result of checking arguments. */
public sealed interface Vetting {
    /** The arguments fit. */
    record Fits(Vetted vetted) implements Vetting {}

    /**
     * The arguments do not fit: nothing is claimed or run.
     *
     * @param forModel names for each field the expected and the given value, with an example
     */
    record Unfit(String forModel) implements Vetting {}
}
