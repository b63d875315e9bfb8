package dev.idem.agent.batch;

import java.util.Locale;

/** The state of an item at the end of a run. */
public enum ItemState {
    /** This run has done it. */
    DONE,
    /** It was complete before, or another item with the same id was done in this run. */
    SKIPPED,
    /** Nothing happened, or running it again does no harm: the next run tries it again. */
    FAILED,
    /** It is unknown whether it took effect. It does not run again before a probe or a person has resolved it. */
    IN_DOUBT,
    /** Another process still runs it. */
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
