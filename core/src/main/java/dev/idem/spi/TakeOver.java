package dev.idem.spi;

/** What a claimer is prepared to do with an entry that is in doubt. */
public enum TakeOver {
    /** Leave it alone. */
    NONE,
    /** Take the ticket to ask a probe, once the doubted attempt can no longer act. Not yet leave to act. */
    PROBE,
    /** Run it again: running twice does no harm. */
    RERUN
}
