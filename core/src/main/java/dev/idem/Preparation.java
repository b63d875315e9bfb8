package dev.idem;

import org.jspecify.annotations.Nullable;

/** What is done before the point of no return. Whatever it throws, nothing has happened. */
@FunctionalInterface
public interface Preparation<P extends @Nullable Object, X extends Exception> {
    P prepare() throws X;
}
