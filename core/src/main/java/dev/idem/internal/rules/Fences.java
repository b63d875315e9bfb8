package dev.idem.internal.rules;

import dev.idem.spi.Fence;

/** A source of fences: each is higher than all before. Called only when a grant or a resolve is certain. */
@FunctionalInterface
public interface Fences {
    Fence next();
}
