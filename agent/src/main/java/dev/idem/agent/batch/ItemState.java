package dev.idem.agent.batch;

import java.util.Locale;

/** How an item stands at the end of a run. */
public enum ItemState {
    /** This run has done it. */
    DONE,
    /** It was complete before, or another item with the same id was done in this run. */
    SKIPPED,
    /** Nothing happened, or running it again does no harm: the next run tries it again. */
    FAILED,
    /** Nobody knows whether it took effect. No run tries it again before a probe or a person has found out. */
    IN_DOUBT,
    /** Another process is at it, and was not done in time. */
    IN_FLIGHT;

    /** Whether it took effect, once. */
    public boolean complete() {
        return this == DONE || this == SKIPPED;
    }

    /** In the words of reports: {@code in doubt}. */
    String words() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
