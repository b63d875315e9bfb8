package dev.idem;

import java.time.Duration;

/**
 * A remote that deduplicates by the key it gets. While it remembers the key, running again does no harm.
 *
 * @param name the name of the remote, for people
 * @param retention how long it remembers a key after it first saw it
 */
public record RemoteKeys(String name, Duration retention) {
    /** Throws {@link IllegalArgumentException} when the retention is not positive. */
    public RemoteKeys {
        if (retention.isNegative() || retention.isZero()) {
            throw new IllegalArgumentException("the retention of " + name + " must be positive, not " + retention);
        }
    }
}
