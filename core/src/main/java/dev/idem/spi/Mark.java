package dev.idem.spi;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A durable note that an action writes right before its effect.
 *
 * @param name the next step of the action, for instance {@code charging}; 1–255 characters
 * @param child a process the owner has started: while it lives the key is in flight, even when the owner is gone
 */
public record Mark(String name, @Nullable ProcessRef child) {
    /**
     * Checks its parts; throws {@link IllegalArgumentException} when the name is empty or longer than 255 characters
     */
    public Mark {
        Objects.requireNonNull(name, "name");
        if (name.isEmpty() || name.length() > 255) {
            throw new IllegalArgumentException("a mark has 1 to 255 characters, not " + name.length());
        }
    }

    /** A mark without a child process. */
    public static Mark of(String name) {
        return new Mark(name, null);
    }
}
