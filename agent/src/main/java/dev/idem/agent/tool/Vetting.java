package dev.idem.agent.tool;

/** Whether arguments fit their tool. */
public sealed interface Vetting {
    /** They do. */
    record Fits(Vetted vetted) implements Vetting {}

    /**
     * They do not: nothing may be claimed or run.
     *
     * @param forModel field, expected, got, and an example
     */
    record Unfit(String forModel) implements Vetting {}
}
