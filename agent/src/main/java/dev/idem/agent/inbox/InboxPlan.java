package dev.idem.agent.inbox;

import dev.idem.Policy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The settings of an inbox. Written only while a copy is made. */
final class InboxPlan implements Cloneable {
    static final String EVENT = "inbox_event";
    static final String DEAD_LETTER = "inbox_dead_letter";
    static final String RECORDED = "inbox_recorded";
    static final String SCOPE = "inbox:";
    private static final Duration TOMBSTONE = Duration.ofDays(365);

    final String source;
    final String scope;

    @Nullable
    Duration visibility;

    /** An event in doubt is handled again by default. A policy over this one can only be stricter. */
    Policy policy = Policy.unset().rerunOnDoubt();

    int mostAttempts = Integer.MAX_VALUE;

    @Nullable
    DeadLetters deadLetters;

    /** Whether an event that is given up is kept in the ledger, for {@link Poison}. */
    boolean keepsPoison;

    int mostEvents = Integer.MAX_VALUE;

    InboxPlan(String source) {
        this.source = source;
        this.scope = SCOPE + source;
    }

    InboxPlan copy() {
        try {
            return (InboxPlan) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * This plan, if its lease is shorter than the visibility time-out. Else the queue would deliver the event of a dead
     * process again while its lease still runs, only to hear "in flight".
     */
    InboxPlan checked() {
        Duration lease = effective().lease();
        if (visibility != null && lease.compareTo(visibility) >= 0) {
            throw new IllegalArgumentException("a lease of " + lease + " is not shorter than the queue's visibility "
                    + "time-out of " + visibility + ": when a process dies, the queue would deliver its event again "
                    + "while its lease still runs, and be sent away. Give a lease of at most half the time-out");
        }
        return this;
    }

    /** The policy of an event. Its retention is set, so that a dead letter can be kept for longer than the event. */
    Policy effective() {
        Policy usual = Policy.unset();
        Policy all = policy.retention(policy.retention());
        if (visibility == null) {
            return all.over(usual);
        }
        Duration half = visibility.dividedBy(2);
        return all.waitFor(shorter(policy.waitFor(), half)).over(usual.lease(shorter(usual.lease(), half)));
    }

    /**
     * The tombstone of an event that was recorded first, for a policy that sets none. A failure that is kept would be
     * taken for a success after its retention.
     */
    static Policy tombstoneUnder(Policy policy) {
        Duration usual = policy.retention().tombstone();
        return policy.keepsFailures() || usual.compareTo(TOMBSTONE) >= 0
                ? Policy.unset().tombstone(usual)
                : Policy.unset().tombstone(TOMBSTONE);
    }

    boolean givesUp() {
        return keepsPoison || deadLetters != null;
    }

    /** Whether an event in doubt waits for a probe or a person. */
    boolean halts() {
        return !policy.safeToRerun();
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }
}
