package dev.idem;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The result of a processed request. Its value may be null.
 *
 * @param <T> the type of the result
 */
public record Processed<T>(@Nullable T value, Instant completedAt) {}
