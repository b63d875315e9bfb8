package dev.idem.examples.planted;

import dev.idem.examples.planted.surface.Surface;

/** Breaks a rule, so that the rule is seen to go red. */
public final class UsesASurface {
    public final Surface surface = new Surface();
}
