package dev.idem;

import org.jspecify.annotations.Nullable;

/** The work that should take effect once, with the value of its preparation as a second argument. */
@FunctionalInterface
public interface PreparedAction<P extends @Nullable Object, T extends @Nullable Object, X extends Exception> {
    T run(Call call, P prepared) throws X;
}
