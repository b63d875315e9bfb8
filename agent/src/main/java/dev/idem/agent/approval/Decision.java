package dev.idem.agent.approval;

import java.time.Instant;

/**
 * A person's decision.
 *
 * @param by who decided
 * @param at the time of the decision
 * @param why the reason; empty where none was given
 * @param until an approval may be used until then
 */
public record Decision(boolean approved, String by, Instant at, String why, Instant until) {
    /** One sentence: {@code approved by ann at … }. */
    public String told() {
        return (approved ? "approved" : "denied") + " by " + by + " at " + at + (why.isEmpty() ? "" : ": " + why);
    }
}
