package dev.idem;

import org.jspecify.annotations.Nullable;

/**
 * The work that should take effect once.
 *
 * @param <T> the type of the result
 * @param <X> the checked exception it throws; it passes through to the caller
 */
@FunctionalInterface
public interface Action<T extends @Nullable Object, X extends Exception> {
    T run(Call call) throws X;
}
