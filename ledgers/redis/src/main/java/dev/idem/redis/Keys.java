package dev.idem.redis;

import dev.idem.Address;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The names of keys: the prefix, then scope, operation and key of the address, separated by a character that none of
 * them can contain, so that no two addresses share a name.
 */
final class Keys {
    private static final char BETWEEN = '\u001f';

    private final String prefix;

    Keys(String prefix) {
        this.prefix = prefix;
    }

    byte[] of(Address address) {
        String name = prefix + address.scope() + BETWEEN + address.operation() + BETWEEN + address.key();
        return name.getBytes(StandardCharsets.UTF_8);
    }

    /** The address of a key; null for a foreign key. */
    @Nullable
    Address address(byte[] key) {
        String name = new String(key, StandardCharsets.UTF_8);
        if (!name.startsWith(prefix)) {
            return null;
        }
        String[] parts = name.substring(prefix.length()).split(String.valueOf(BETWEEN), -1);
        try {
            return parts.length == 3 ? new Address(parts[0], parts[1], parts[2]) : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** The pattern for SCAN. */
    String pattern() {
        StringBuilder pattern = new StringBuilder();
        prefix.chars().forEach(c -> {
            if ("*?[]\\^".indexOf(c) >= 0) {
                pattern.append('\\');
            }
            pattern.append((char) c);
        });
        return pattern.append('*').toString();
    }
}
