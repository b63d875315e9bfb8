package dev.idem;

/** The work that should take effect once, without a result. */
@FunctionalInterface
public interface VoidAction<X extends Exception> {
    void run(Call call) throws X;
}
