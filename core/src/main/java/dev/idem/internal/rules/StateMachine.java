package dev.idem.internal.rules;

import dev.idem.Entry;
import dev.idem.Repeat;
import dev.idem.State;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Doubt;
import dev.idem.spi.Fence;
import dev.idem.spi.FieldLimits;
import dev.idem.spi.Mark;
import dev.idem.spi.Moment;
import dev.idem.spi.Processes;
import dev.idem.spi.Retention;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Tenure;
import dev.idem.spi.Ticket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rules every ledger follows, as pure functions from the entry that was found to the answer and the entry to
 * write. No store has rules of its own.
 */
public final class StateMachine {
    private static final Duration LONG = Duration.ofDays(1);

    private final Lapses lapses;

    /**
     * Made with {@code processes}: tells whether owners and their children live; {@link Processes#unknown()} for
     * leases alone
     */
    public StateMachine(Processes processes) {
        this.lapses = new Lapses(processes);
    }

    /** Takes the key, or returns the present entry. */
    public Step<Claim> claim(@Nullable Entry found, ClaimRequest request, Moment now, Fences fences) {
        Entry seen = found == null ? null : asItCountsNow(found, now);
        if (found == null || seen == null) {
            return grant(Grants.first(request, now, fences.next()));
        }
        if (seen.state() == State.EXPIRED) {
            return Step.keep(new Claim.Expired(seen));
        }
        if (found.state() == State.IN_PROGRESS && found.tenure().attemptId().equals(request.attemptId())) {
            // The claimer lost the answer and retries. Its lease starts again, since it counts from this request.
            return grant(leased(found, request.lease(), now));
        }
        if (seen.fingerprints().conflictsWith(request.fingerprints())) {
            return Step.keep(new Claim.Conflict(seen));
        }
        // An id is granted once. A delayed copy of a claim whose attempt was settled is answered with that ending.
        boolean itself = seen.settlement() != null && seen.tenure().attemptId().equals(request.attemptId());
        if (seen.state() == State.COMPLETE) {
            return request.repeat() == Repeat.RUN && !itself
                    ? grant(Grants.anew(seen, request, now, fences.next()))
                    : Step.keep(new Claim.Replay(seen));
        }
        if (seen.state() == State.IN_PROGRESS) {
            return Step.keep(new Claim.InFlight(seen, leaseLeft(seen, now)));
        }
        if (seen.state() == State.FAILED) {
            return itself || (seen.settlement() instanceof Settlement.Failed failed && failed.kept())
                    ? Step.keep(new Claim.ReplayedFailure(seen))
                    : grant(Grants.again(seen, request, now, fences.next()));
        }
        if (lapses.childLives(seen)) {
            // A child process of the owner still runs, even though the owner has settled.
            return Step.keep(new Claim.InFlight(seen, Duration.ZERO));
        }
        return claimDoubted(seen, itself ? request.withTakeOver(TakeOver.NONE) : request, now, fences);
    }

    private static Step<Claim> claimDoubted(Entry seen, ClaimRequest request, Moment now, Fences fences) {
        Duration probeIn = positive(now.until(seen.tenure().limit().plus(request.grace())));
        if (request.takeOver() == TakeOver.RERUN) {
            return grant(Grants.rerun(seen, request, now, fences.next()));
        }
        if (request.takeOver() == TakeOver.PROBE && probeIn.isZero()) {
            return grant(Grants.probe(seen, request, now, fences.next()));
        }
        Duration age = positive(Duration.between(seen.began(), now.wall()));
        return Step.keep(new Claim.InDoubt(seen, Objects.requireNonNull(seen.doubt()), age, probeIn));
    }

    private static Step<Claim> grant(Entry entry) {
        return Step.put(new Claim.Granted(entry), entry);
    }

    /**
     * Renews the lease of the current ticket. A lapsed lease is renewed too, as long as no other owner has taken over.
     */
    public Step<Boolean> renew(@Nullable Entry found, Ticket ticket, Duration lease, Moment now) {
        if (found == null || !holds(found, ticket)) {
            return Step.keep(false);
        }
        return Step.put(true, leased(found, lease, now));
    }

    /** Adds a mark to a staged entry whose ticket is current and allowed to act. */
    public Step<Boolean> mark(@Nullable Entry found, Ticket ticket, Mark mark) {
        if (found == null || !holds(found, ticket) || !found.tenure().staged() || found.probing()) {
            return Step.keep(false);
        }
        Tenure old = found.tenure();
        FieldLimits.require(mark.child());
        if (old.marks().size() >= FieldLimits.MARKS) {
            throw new IllegalArgumentException("an attempt leaves at most " + FieldLimits.MARKS + " marks");
        }
        List<Mark> marks = new ArrayList<>(old.marks());
        marks.add(mark);
        Tenure marked = new Tenure(old.attemptId(), old.owner(), old.lease(), old.acted(), old.limit(), true, marks);
        return Step.put(true, holding(found, marked));
    }

    /**
     * Ends an attempt.
     *
     * @throws IllegalArgumentException if the settlement carries a person's decision, which only {@link #resolve} writes
     */
    public Step<Settled> settle(@Nullable Entry found, Ticket ticket, Settlement how, Moment now) {
        if (how.resolution() != null) {
            throw new IllegalArgumentException("a ticket can't settle with a person's decision; use resolve for that");
        }
        if (found == null) {
            return Step.keep(new Settled.Stale(null));
        }
        boolean current = found.fence().equals(ticket.fence());
        boolean actedLast = found.tenure().acted().equals(ticket.fence());
        boolean open = found.state() == State.IN_PROGRESS || found.state() == State.IN_DOUBT;
        if (actedLast && open && how instanceof Settlement.Completed) {
            return record(Endings.completed(found, FieldLimits.kept(how), now));
        }
        // A doubted ticket may repeat its completion after it was accepted once. The repeat changes nothing, and is not
        // refused.
        boolean itsOwn = actedLast && found.settlement() instanceof Settlement.Completed;
        if (!current && !itsOwn) {
            return Step.keep(new Settled.Stale(asItCountsNow(found, now)));
        }
        if (found.state() != State.IN_PROGRESS) {
            return Step.keep(new Settled.Already(found));
        }
        return record(Endings.of(found, FieldLimits.kept(how), now));
    }

    private static Step<Settled> record(Entry entry) {
        return Step.put(new Settled.Recorded(entry), entry);
    }

    /** Settles by a person's decision. */
    public Step<Boolean> resolve(@Nullable Entry found, Fence seenFence, Settlement how, Moment now, Fences fences) {
        Entry seen = found == null ? null : asItCountsNow(found, now);
        return seen != null && seen.fence().equals(seenFence) && resolvable(seen, how)
                ? Step.put(true, Endings.resolved(seen, FieldLimits.kept(how), now, fences.next()))
                : Step.keep(false);
    }

    /** A failed attempt did nothing, even if its owner settled late. A failure that is kept stays kept. */
    private static boolean resolvable(Entry seen, Settlement how) {
        boolean nothing = how instanceof Settlement.Failed || how instanceof Settlement.NotExecuted;
        return seen.state() == State.IN_DOUBT || (seen.state() == State.FAILED && !nothing);
    }

    /** Removes an entry, if it has not changed since the caller saw it. */
    public Step<Boolean> forget(@Nullable Entry found, Entry seen, Moment now) {
        Entry current = found == null ? null : asItCountsNow(found, now);
        return current != null && current.fence().equals(seen.fence()) && forgettable(current, seen.state())
                ? Step.remove(true)
                : Step.keep(false);
    }

    /**
     * A settle does not change the fence, so the fence alone does not show it. A completion may come late, after the
     * caller saw a doubt. A doubt may come late, after the caller saw a staged attempt that had lapsed before it
     * acted.
     */
    private static boolean forgettable(Entry current, State seen) {
        boolean completed = current.settlement() instanceof Settlement.Completed;
        boolean known = seen == State.COMPLETE || seen == State.EXPIRED;
        boolean doubted = current.state() == State.IN_DOUBT && seen == State.FAILED;
        return current.state() != State.IN_PROGRESS && !doubted && (known || !completed);
    }

    /**
     * The entry as it counts now, or null when it has expired. A lapsed lease means in doubt, even if the stored entry
     * is in progress. A staged entry that lapsed without a mark has failed: it did nothing.
     */
    public @Nullable Entry asItCountsNow(Entry entry, Moment now) {
        if (entry.state() == State.IN_PROGRESS) {
            Doubt lapse = lapses.lapseOf(entry, now);
            if (lapse == null) {
                return entry;
            }
            return Endings.harmless(entry) ? Endings.lapsedHarmlessly(entry) : Endings.lapsed(entry, lapse);
        }
        Instant expires = entry.times().expires();
        if (expires == null) {
            return entry;
        }
        Retention retention = retentionOf(entry);
        Instant wall = retention.keep().compareTo(LONG) < 0
                ? now.wall()
                : unstepped(entry.tenure().lease(), now);
        if (wall.isBefore(expires)) {
            return entry;
        }
        Duration tombstone = retention.tombstone();
        return wall.isBefore(expires.plus(tombstone)) ? Endings.tombstone(entry) : null;
    }

    /**
     * The wall time without steps forward that the clock has made since the settle, if that was in this boot. Otherwise
     * an entry would expire at once when a clock that was behind is set right. The sleep of a machine looks like such
     * a step, so this is used only for long retentions: an entry with a short retention must not live longer.
     */
    private static Instant unstepped(Moment settled, Moment now) {
        Instant counted = settled.wall().minus(now.until(settled));
        return counted.isBefore(now.wall()) ? counted : now.wall();
    }

    /** The rest of an entry after a purge: the entry itself, a tombstone without its result, or null. */
    public @Nullable Entry purged(Entry entry, Moment now) {
        return entry.state() == State.IN_PROGRESS || entry.state() == State.IN_DOUBT
                ? entry
                : asItCountsNow(entry, now);
    }

    private static boolean holds(@Nullable Entry found, Ticket ticket) {
        return found != null
                && found.state() == State.IN_PROGRESS
                && found.fence().equals(ticket.fence());
    }

    private static Entry leased(Entry found, Duration lease, Moment now) {
        Tenure old = found.tenure();
        return holding(
                found,
                new Tenure(
                        old.attemptId(),
                        old.owner(),
                        now.plus(lease),
                        old.acted(),
                        old.limit(),
                        old.staged(),
                        old.marks()));
    }

    private static Entry holding(Entry found, Tenure tenure) {
        return Endings.with(found, found.state(), tenure, found.doubt(), found.times(), found.settlement());
    }

    private static Duration leaseLeft(Entry entry, Moment now) {
        return positive(now.until(entry.tenure().lease()));
    }

    private static Duration positive(Duration duration) {
        return duration.isNegative() ? Duration.ZERO : duration;
    }

    private static Retention retentionOf(Entry entry) {
        if (entry.settlement() instanceof Settlement.Completed completed) {
            return completed.retention();
        } else if (entry.settlement() instanceof Settlement.Failed failed) {
            return failed.retention();
        } else if (entry.settlement() instanceof Settlement.NotExecuted notExecuted) {
            return notExecuted.retention();
        }
        return Retention.DEFAULT;
    }
}
