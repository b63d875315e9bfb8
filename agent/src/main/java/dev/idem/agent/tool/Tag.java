package dev.idem.agent.tool;

import java.util.Locale;

/** A descriptive tag for reports. It changes nothing: the side effect decides. */
public enum Tag {
    /** Reaches systems that others own. */
    EXTERNAL,
    /** Costs money or much time. */
    EXPENSIVE,
    /** Goes over a network. */
    NETWORK;

    /** The word used in JSON and in reports. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
