package dev.idem.spi;

import dev.idem.Entry;
import dev.idem.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rules every ledger follows, as pure functions from the entry that was found to the answer and the entry to
 * write. A ledger that can read and write one entry atomically uses them as they are; one that decides inside its
 * server has the same rules in the server's language, and the testkit holds the two against each other.
 */
public final class StateMachine {
    private static final Duration LONG = Duration.ofDays(1);

    private final Vitality vitality;

    /** Made with {@code processes}: tells whether owners and their children live; {@link Processes#unknown()} for leases alone */
    public StateMachine(Processes processes) {
        this.vitality = new Vitality(processes);
    }

    /** Takes the key, or says who has it. */
    public Step<Claim> claim(@Nullable Entry found, ClaimRequest request, Moment now, Fences fences) {
        Entry seen = found == null ? null : view(found, now);
        if (found == null || seen == null) {
            return grant(Grants.first(request, now, fences.next()));
        }
        if (seen.state() == State.EXPIRED) {
            return Step.keep(new Claim.Expired(seen));
        }
        if (found.state() == State.IN_PROGRESS && found.tenure().attemptId().equals(request.attemptId())) {
            // The answer was lost. The lease starts anew, as the claimer counts it from this request.
            return grant(leased(found, request.lease(), now));
        }
        if (seen.fingerprints().conflictsWith(request.fingerprints())) {
            return Step.keep(new Claim.Conflict(seen));
        }
        if (seen.state() == State.COMPLETE) {
            return Step.keep(new Claim.Replay(seen));
        }
        if (seen.state() == State.IN_PROGRESS) {
            return Step.keep(new Claim.InFlight(seen, leaseLeft(seen, now)));
        }
        if (seen.state() == State.FAILED) {
            return seen.settlement() instanceof Settlement.Failed failed && failed.kept()
                    ? Step.keep(new Claim.ReplayedFailure(seen))
                    : grant(Grants.again(seen, request, now, fences.next()));
        }
        if (vitality.childLives(seen)) {
            // Whatever its owner has said: what the owner started still runs.
            return Step.keep(new Claim.InFlight(seen, Duration.ZERO));
        }
        return claimDoubted(seen, request, now, fences);
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

    /** Prolongs the lease of the current ticket, lapsed or not: while nobody has taken over, its news is good news. */
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
        List<Mark> marks = new ArrayList<>(old.marks());
        marks.add(mark);
        Tenure marked = new Tenure(old.attemptId(), old.owner(), old.lease(), old.acted(), old.limit(), true, marks);
        return Step.put(true, holding(found, marked));
    }

    /** Ends an attempt. */
    public Step<Settled> settle(@Nullable Entry found, Ticket ticket, Settlement how, Moment now) {
        if (found == null) {
            return Step.keep(new Settled.Stale(null));
        }
        boolean current = found.fence().equals(ticket.fence());
        boolean actedLast = found.tenure().acted().equals(ticket.fence());
        boolean open = found.state() == State.IN_PROGRESS || found.state() == State.IN_DOUBT;
        if (actedLast && open && how instanceof Settlement.Completed) {
            return record(Endings.completed(found, how, now));
        }
        // A completion that is sent again after it was taken from the doubted ticket is no news, but not refused
        // either.
        boolean itsOwn = actedLast && found.state() == State.COMPLETE;
        if (!current && !itsOwn) {
            return Step.keep(new Settled.Stale(view(found, now)));
        }
        if (found.state() != State.IN_PROGRESS) {
            return Step.keep(new Settled.Already(found));
        }
        return record(Endings.of(found, how, now));
    }

    private static Step<Settled> record(Entry entry) {
        return Step.put(new Settled.Recorded(entry), entry);
    }

    /** Settles by a person's word. */
    public Step<Boolean> resolve(@Nullable Entry found, Fence seenFence, Settlement how, Moment now, Fences fences) {
        Entry seen = found == null ? null : view(found, now);
        return seen != null && seen.fence().equals(seenFence) && resolvable(seen, how)
                ? Step.put(true, Endings.resolved(seen, how, now, fences.next()))
                : Step.keep(false);
    }

    /** What has failed did nothing, as its owner may have said only now, and a failure that is kept stays so. */
    private static boolean resolvable(Entry seen, Settlement how) {
        boolean nothing = how instanceof Settlement.Failed || how instanceof Settlement.NotExecuted;
        return seen.state() == State.IN_DOUBT || (seen.state() == State.FAILED && !nothing);
    }

    /** Removes an entry that somebody has seen. */
    public Step<Boolean> forget(@Nullable Entry found, Entry seen, Moment now) {
        Entry current = found == null ? null : view(found, now);
        return current != null && current.fence().equals(seen.fence()) && forgettable(current, seen.state())
                ? Step.remove(true)
                : Step.keep(false);
    }

    /**
     * A settle leaves the fence as it is, so a completion may have come late, after somebody saw a doubt and asked; and a
     * doubt, where somebody saw that a staged attempt had lapsed before it acted.
     */
    private static boolean forgettable(Entry current, State seen) {
        boolean completed = current.settlement() instanceof Settlement.Completed;
        boolean known = seen == State.COMPLETE || seen == State.EXPIRED;
        boolean doubted = current.state() == State.IN_DOUBT && seen == State.FAILED;
        return current.state() != State.IN_PROGRESS && !doubted && (known || !completed);
    }

    /**
     * The entry as it counts now, or null when it has expired: a lapsed lease is in doubt whether or not anyone has
     * written it down, and a staged entry that lapsed without a mark has done nothing.
     */
    public @Nullable Entry view(Entry entry, Moment now) {
        if (entry.state() == State.IN_PROGRESS) {
            String lapse = vitality.lapseOf(entry, now);
            if (lapse == null) {
                return entry;
            }
            Moment lease = entry.tenure().lease();
            // A process that ended within its lease has been in doubt at the earliest since it was granted the key:
            // when it ended is not known, and the moment of looking says nothing.
            Instant since = now.isBefore(lease) ? entry.times().claimed() : lease.wall();
            return Endings.harmless(entry) ? Endings.lapsedHarmlessly(entry) : Endings.lapsed(entry, lapse, since);
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
     * Wall time, or what it would be without the step forward that the clock has made since the lease was given, if that
     * was in this boot. A clock that was behind at the settle and is right now would let the entry expire at once. The
     * sleep of a machine looks like such a step, so that only what is kept for long is judged like this: nothing that is
     * meant to be fresh outlives its time.
     */
    private static Instant unstepped(Moment lease, Moment now) {
        Instant counted = lease.wall().minus(now.until(lease));
        return counted.isBefore(now.wall()) ? counted : now.wall();
    }

    /** What a purge leaves of an entry: itself, a tombstone without its result, or null for nothing. */
    public @Nullable Entry purged(Entry entry, Moment now) {
        return entry.state() == State.IN_PROGRESS || entry.state() == State.IN_DOUBT ? entry : view(entry, now);
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
