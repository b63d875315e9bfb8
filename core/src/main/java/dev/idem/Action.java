package dev.idem;

import org.jspecify.annotations.Nullable;

/**
 * The work that should take effect once.
 *
 * @param <T> what it returns
 * @param <X> the checked exception it throws; it passes through to the caller
 */
@FunctionalInterface
public interface Action<T extends @Nullable Object, X extends Exception> {
    T run(Call call) throws X;
}
