package dev.idem.gauntlet;

import org.jspecify.annotations.Nullable;

/** The action of an operation: it has an effect, and returns a text or null. */
@FunctionalInterface
public interface Work {
    @Nullable
    String run();
}
