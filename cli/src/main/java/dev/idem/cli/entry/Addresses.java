package dev.idem.cli.entry;

import dev.idem.Address;
import dev.idem.cli.syntax.UsageException;

/** Makes addresses from the words of a line, with errors in the terms of the command line. */
public final class Addresses {
    private static final int LONGEST_KEY = 255;
    private static final String INSTEAD =
            "; a key is 1 to 255 visible ASCII characters without spaces. Make one of anything with --key-from or idem key";

    private Addresses() {}

    /**
     * Checks the parts.
     *
     * @throws UsageException if one of them is empty or blank, too long or has a character that is not allowed
     */
    public static Address of(String scope, String operation, String key) {
        requireKey(key);
        Address address;
        try {
            address = new Address(scope, operation, key);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
        if (scope.isBlank()) {
            throw new UsageException("the scope is blank, and all calls with a blank one would share their results");
        }
        return address;
    }

    private static void requireKey(String key) {
        if (key.isEmpty() || key.length() > LONGEST_KEY) {
            throw new UsageException("the key has " + key.length() + " characters" + INSTEAD);
        }
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            if (c <= ' ' || c > '~') {
                String what = c == ' ' ? "a space" : String.format("U+%04X", key.codePointAt(i));
                throw new UsageException("the key has " + what + " at position " + (i + 1) + INSTEAD);
            }
        }
    }
}
