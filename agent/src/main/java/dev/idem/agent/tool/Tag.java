package dev.idem.agent.tool;

import java.util.Locale;

/** A descriptive tag. It decides nothing by itself: the side effect does. */
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
