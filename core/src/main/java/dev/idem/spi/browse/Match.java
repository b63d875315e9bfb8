package dev.idem.spi.browse;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One text, or all texts that begin with it. Texts are compared character by character: nothing is normalised.
 *
 * @param text what to find, or what it begins with
 * @param isPrefix whether everything that begins with the text matches
 */
public record Match(String text, boolean isPrefix) {
    /** Only this text. */
    public static Match exactly(String text) {
        return new Match(text, false);
    }

    /** All texts that begin with this one. */
    public static Match prefix(String beginning) {
        return new Match(beginning, true);
    }

    public boolean matches(String other) {
        return isPrefix ? other.startsWith(text) : other.equals(text);
    }

    /** What matches both; empty if nothing does. */
    public Optional<Match> and(Match other) {
        if (matches(other.text) && (isPrefix || !other.isPrefix)) {
            return Optional.of(other);
        }
        return other.matches(text) && (other.isPrefix || !isPrefix) ? Optional.of(this) : Optional.empty();
    }

    /**
     * A text behind all that begin with this one, in the order of code points (that of UTF-8 bytes too). There may be
     * others before it. Null if there is no end.
     */
    public @Nullable String end() {
        int length = text.length();
        while (length > 0) {
            int last = text.codePointBefore(length);
            length -= Character.charCount(last);
            if (last < Character.MAX_CODE_POINT) {
                int next = last + 1 == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : last + 1;
                return text.substring(0, length) + Character.toString(next);
            }
        }
        return null;
    }
}
