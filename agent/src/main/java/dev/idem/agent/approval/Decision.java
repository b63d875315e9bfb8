package dev.idem.agent.approval;

import java.time.Instant;

/**
 * What a person has decided.
 *
 * @param by who
 * @param at when
 * @param why as they put it; empty where they said nothing
 * @param until an approval may be used until then
 */
public record Decision(boolean approved, String by, Instant at, String why, Instant until) {
    /** One sentence: {@code approved by ann at … }. */
    public String told() {
        return (approved ? "approved" : "denied") + " by " + by + " at " + at + (why.isEmpty() ? "" : ": " + why);
    }
}
