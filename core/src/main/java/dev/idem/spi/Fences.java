package dev.idem.spi;

/** Hands out fences: each is higher than every one before it. Asked only when a grant or a resolve is certain. */
@FunctionalInterface
public interface Fences {
    Fence next();
}
