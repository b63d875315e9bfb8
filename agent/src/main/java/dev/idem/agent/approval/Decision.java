package dev.idem.agent.approval;

import dev.idem.spi.ResolvedBy;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A person's decision.
 *
 * @param by who decided: the name that the person gave, else the caller
 * @param at the time of the decision
 * @param why the reason; empty where none was given
 * @param until an approval may be used until then
 * @param caller the token or the signed-in user through which the person decided, as the server knows it; null where the
 *     program is trusted to name the person
 */
public record Decision(
        boolean approved,
        String by,
        Instant at,
        String why,
        Instant until,
        @Nullable String caller) {
    /** One sentence: {@code approved by ann (token ci) at … }. */
    public String told() {
        return (approved ? "approved" : "denied") + " by " + person() + " at " + at + (why.isEmpty() ? "" : ": " + why);
    }

    /** The person for people: {@code ann}, or {@code ann (token ci)} where only the token is known for certain. */
    public String person() {
        return decider().person();
    }

    /** The person and the reason. Earlier versions did not check these texts. */
    ResolvedBy decider() {
        return new ResolvedBy(
                fitting(by, ResolvedBy.LONGEST_NAME),
                why.isEmpty() ? null : fitting(why, ResolvedBy.LONGEST_WHY),
                null,
                caller);
    }

    private static String fitting(String text, int longest) {
        String line = text.replaceAll("[\\p{Cc}\\u2028-\\u202E\\u2066-\\u2069]", " ");
        if (line.length() <= longest) {
            return line;
        }
        return line.substring(0, Character.isHighSurrogate(line.charAt(longest - 1)) ? longest - 1 : longest);
    }
}
