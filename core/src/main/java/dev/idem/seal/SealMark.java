package dev.idem.seal;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The clear-text mark of a sealed value: {@code idem-sealed;v=1;key=ID}. It is the codec of a sealed payload and the
 * beginning of a sealed text.
 *
 * @param text the mark as it is stored
 * @param version of the format; this class reads all of them
 * @param keyId the key it was sealed with
 */
record SealMark(String text, int version, String keyId) {
    static final int VERSION = 1;

    private static final String BEGINNING = "idem-sealed;";
    private static final Pattern WHOLE = Pattern.compile("idem-sealed;v=([0-9]{1,4});key=([A-Za-z0-9._-]{1,32})");
    private static final Pattern SEALED_TEXT = Pattern.compile(WHOLE.pattern() + "(?::[A-Za-z0-9_-]*)?");

    static SealMark of(String keyId) {
        return new SealMark(BEGINNING + "v=" + VERSION + ";key=" + keyId, VERSION, keyId);
    }

    /** Whether a stored value begins like a seal, whole or damaged. */
    static boolean begins(String stored) {
        return stored.startsWith(BEGINNING);
    }

    /** Reads a mark; null when it is damaged. */
    static @Nullable SealMark parse(String text) {
        Matcher whole = WHOLE.matcher(text);
        return whole.matches() ? new SealMark(text, Integer.parseInt(whole.group(1)), whole.group(2)) : null;
    }

    /** Replaces sealed values quoted in a text by words. */
    static String spelledOut(String text) {
        return text.contains(BEGINNING) ? SEALED_TEXT.matcher(text).replaceAll("(sealed with key '$2')") : text;
    }
}
