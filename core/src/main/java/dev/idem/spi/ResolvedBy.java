package dev.idem.spi;

import org.jspecify.annotations.Nullable;

/**
 * A person's decision about an entry. Only {@link Ledger#resolve} writes it: a settlement of a ticket that carries one
 * is refused. So it is a fact, while the text of a note is not.
 *
 * @param who the name that the person gave; null where none was given
 * @param why how the person found out; null where no reason was given
 * @param request the id of the request that decided; null where it had none
 * @param caller the token or the signed-in user through which the person decided, as the server knows it; null where
 *     the program is trusted to name the person
 */
public record ResolvedBy(
        @Nullable String who,
        @Nullable String why,
        @Nullable String request,
        @Nullable String caller) {
    /** The longest name, id of a request or name of a caller, in characters. */
    public static final int LONGEST_NAME = 200;

    /** The longest reason, in characters. */
    public static final int LONGEST_WHY = 2000;

    /** A decision of a person whose name and reason are not known. */
    public static final ResolvedBy UNKNOWN = new ResolvedBy(null, null, null, null);

    public ResolvedBy {
        require("the name of who decided", who, LONGEST_NAME);
        require("the reason", why, LONGEST_WHY);
        require("the id of the request", request, LONGEST_NAME);
        require("the name of the caller", caller, LONGEST_NAME);
    }

    /** A decision of a person who is named by a program that is trusted to do so. */
    public static ResolvedBy of(@Nullable String who, @Nullable String why) {
        return new ResolvedBy(who, why, null, null);
    }

    /**
     * Checks a text that a person gives with a decision.
     *
     * @param what names the text in the message of the exception
     * @throws IllegalArgumentException if it is too long, or has control characters
     */
    public static void require(String what, @Nullable String text, int longest) {
        if (text == null) {
            return;
        } else if (text.length() > longest) {
            throw new IllegalArgumentException(what + " has " + text.length() + " characters; give at most " + longest);
        } else if (text.codePoints().anyMatch(ResolvedBy::isControl)) {
            throw new IllegalArgumentException(what + " has a control character, such as a line break; give one line");
        }
    }

    /** Control characters, line separators, and the marks that turn the direction of the text after them. */
    private static boolean isControl(int c) {
        return Character.isISOControl(c)
                || (c >= 0x2028 && c <= 0x202E)
                || (c >= 0x2066 && c <= 0x2069)
                || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }

    /** The person for people: {@code ann}, or {@code ann (token ci)} where only the token is known for certain. */
    public String person() {
        if (who == null) {
            return caller == null ? "hand" : caller;
        }
        return caller == null || caller.equals(who) ? who : who + " (" + caller + ")";
    }

    /** The decision for people: {@code resolved by ann: seen in the bank statement}. */
    public String told() {
        return "resolved by " + person() + (why == null ? "" : ": " + why)
                + (request == null ? "" : " (request " + request + ")");
    }
}
