package dev.idem;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a processed request left behind. That there is one is told apart from its value, which may be null.
 *
 * @param <T> the type it was asked for as
 */
public record Processed<T>(@Nullable T value, Instant completedAt) {}
