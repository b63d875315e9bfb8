package dev.idem.gauntlet;

import org.jspecify.annotations.Nullable;

/** What an operation does: it has an effect, and returns a text or null. */
@FunctionalInterface
public interface Work {
    @Nullable
    String run();
}
