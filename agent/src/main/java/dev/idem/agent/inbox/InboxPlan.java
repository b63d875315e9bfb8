package dev.idem.agent.inbox;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What is declared about an inbox. Written only while a copy is being made. */
final class InboxPlan implements Cloneable {
    static final String EVENT = "inbox_event";
    static final String DEAD_LETTER = "inbox_dead_letter";

    final String source;
    final String scope;

    @Nullable
    Duration lease;

    @Nullable
    Duration visibility;

    Duration wait = Duration.ofSeconds(10);
    Duration timeLimit = Duration.ofMinutes(5);
    Duration retention = Duration.ofDays(7);
    int mostAttempts = Integer.MAX_VALUE;

    @Nullable
    DeadLetters deadLetters;

    int mostEvents = Integer.MAX_VALUE;
    boolean halting;

    InboxPlan(String source) {
        this.source = source;
        this.scope = "inbox:" + source;
    }

    InboxPlan copy() {
        try {
            return (InboxPlan) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    /** A queue that delivers again while the lease of a dead process still runs would be told "in flight" for nothing. */
    InboxPlan checked() {
        if (lease != null && visibility != null && lease.compareTo(visibility) >= 0) {
            throw new IllegalArgumentException("a lease of " + lease + " is not shorter than the queue's visibility "
                    + "time-out of " + visibility + ": when a process dies, the queue would deliver its event again "
                    + "while its lease still runs, and be sent away. Give a lease of at most half the time-out");
        }
        return this;
    }

    Duration effectiveLease() {
        Duration usual = Duration.ofSeconds(30);
        if (lease != null) {
            return lease;
        }
        return visibility == null ? usual : shorter(usual, visibility.dividedBy(2));
    }

    /** Nobody waits until the queue has taken the event away again. */
    Duration effectiveWait() {
        return visibility == null ? wait : shorter(wait, visibility.dividedBy(2));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }
}
