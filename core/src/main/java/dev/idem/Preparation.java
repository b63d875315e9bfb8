package dev.idem;

import org.jspecify.annotations.Nullable;

/** The first step of a {@link PreparedOperation}, without side effects. Its exceptions prove that nothing happened. */
@FunctionalInterface
public interface Preparation<P extends @Nullable Object, X extends Exception> {
    P prepare() throws X;
}
