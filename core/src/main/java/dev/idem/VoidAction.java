package dev.idem;

/** Work that should take effect once and returns nothing. */
@FunctionalInterface
public interface VoidAction<X extends Exception> {
    void run(Call call) throws X;
}
