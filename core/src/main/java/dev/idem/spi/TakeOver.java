package dev.idem.spi;

/** The permission of a claimer for an entry in doubt. */
public enum TakeOver {
    /** Leave the entry in doubt. */
    NONE,
    /** Take the ticket to ask a probe, after the doubted attempt can no longer act. The action may not run yet. */
    PROBE,
    /** Run the action again: running twice does no harm. */
    RERUN
}
