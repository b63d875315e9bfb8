package dev.idem;

import java.util.Objects;

/**
 * Where an entry lives: scope + operation + key.
 *
 * <p>The key names one logical operation and is 1–255 visible ASCII characters. Scope and operation are 1–255
 * characters without control characters. Nothing is ever truncated: two long names that share a beginning must not
 * share an entry.
 */
public record Address(String scope, String operation, String key) {
    /** The scope of calls that name none. */
    public static final String DEFAULT_SCOPE = "default";

    private static final int LONGEST = 255;

    /** Checks its parts; throws {@link IllegalArgumentException} when a part is empty, too long or holds a character that is not allowed */
    public Address {
        // Most calls name none, and every call makes an address.
        if (!DEFAULT_SCOPE.equals(scope)) {
            requireName("scope", scope);
        }
        requireName("operation", operation);
        requireKey(key);
    }

    /** This key under another operation of the same scope. */
    public Address withOperation(String other) {
        return new Address(scope, other, key);
    }

    private static void requireKey(String key) {
        requireLength("key", Objects.requireNonNull(key, "key"));
        int outside = 0;
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            outside |= c - '!' | '~' - c;
        }
        if (outside < 0) {
            throw invisible(key);
        }
    }

    private static IllegalArgumentException invisible(String key) {
        int at = 0;
        while (key.charAt(at) >= '!' && key.charAt(at) <= '~') {
            at++;
        }
        return new IllegalArgumentException(String.format(
                "key has U+%04X at position %d; a key is 1-255 visible ASCII characters without spaces. "
                        + "Give an identity instead, which may be any text: the key is then made of it",
                (int) key.charAt(at), at));
    }

    private static void requireName(String what, String name) {
        requireLength(what, Objects.requireNonNull(name, what));
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c >= 0x20 && c < 0x7F) {
                continue;
            }
            if (Character.isISOControl(c) || isLoneSurrogate(name, i)) {
                throw new IllegalArgumentException(String.format(
                        "%s has U+%04X at position %d; control characters and lone surrogates are not allowed",
                        what, (int) c, i));
            }
        }
    }

    private static void requireLength(String what, String text) {
        if (text.isEmpty() || text.length() > LONGEST) {
            throw new IllegalArgumentException(what + " has " + text.length() + " characters; it must have 1 to "
                    + LONGEST + (text.isEmpty() ? "" : ". It is never cut short: give a shorter one, or derive it"));
        }
    }

    private static boolean isLoneSurrogate(String text, int i) {
        char c = text.charAt(i);
        if (Character.isHighSurrogate(c)) {
            return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
        }
        return Character.isLowSurrogate(c) && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
    }

    // Written out: a record's own equality is put together at run time, which a short-lived program would notice.
    @Override
    public boolean equals(Object other) {
        return other instanceof Address that
                && key.equals(that.key)
                && operation.equals(that.operation)
                && scope.equals(that.scope);
    }

    @Override
    public int hashCode() {
        return (scope.hashCode() * 31 + operation.hashCode()) * 31 + key.hashCode();
    }

    /** {@code scope/operation/key}, for people; not meant to be parsed. */
    @Override
    public String toString() {
        return scope + "/" + operation + "/" + key;
    }
}
