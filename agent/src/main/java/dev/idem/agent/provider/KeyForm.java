package dev.idem.agent.provider;

import dev.idem.Key;
import java.util.Map;

/**
 * The form of a provider's keys.
 *
 * @param longest how many characters a key may have
 */
record KeyForm(int longest, Alphabet alphabet) {
    private static final String PREFIX = "idem_";
    private static final int HEX_DIGITS = 32;
    private static final int UUID_LENGTH = 36;

    KeyForm {
        int least = alphabet == Alphabet.UUID ? UUID_LENGTH : HEX_DIGITS;
        if (longest < least) {
            throw new IllegalArgumentException("a derived key needs " + least + " characters, and the provider allows "
                    + longest + ". A shorter one would be no safe name for an operation");
        }
    }

    boolean fits(String key) {
        return !key.isEmpty() && key.length() <= longest && alphabet.fits(key);
    }

    /** The given key where it fits, else one derived from it. It is never cut: two long keys may share a beginning. */
    String fitted(String key) {
        return fits(key) ? key : inForm(Key.derive("", "provider_key", Map.of("key", key)));
    }

    /** A derived key as the provider takes it: whole, without its prefix, or as a UUID; always all its digits. */
    String inForm(Key derived) {
        String whole = derived.value();
        String digits = whole.substring(PREFIX.length());
        if (alphabet == Alphabet.UUID) {
            return uuid(digits);
        }
        return fits(whole) ? whole : digits;
    }

    /** A UUID of version 8, which has custom digits. */
    private static String uuid(String digits) {
        char variant = "89ab".charAt(Character.digit(digits.charAt(16), 16) & 3);
        return digits.substring(0, 8) + '-' + digits.substring(8, 12) + "-8" + digits.substring(13, 16) + '-' + variant
                + digits.substring(17, 20) + '-' + digits.substring(20);
    }
}
