package dev.idem;

import org.jspecify.annotations.Nullable;

/** Work that should take effect once, given what was prepared for it. */
@FunctionalInterface
public interface PreparedAction<P extends @Nullable Object, T extends @Nullable Object, X extends Exception> {
    T run(Call call, P prepared) throws X;
}
