package dev.idem.internal.call;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Policy;
import dev.idem.Repeat;
import dev.idem.Reworded;
import dev.idem.SideEffect;
import dev.idem.State;
import dev.idem.Warning;
import dev.idem.internal.runtime.Clock;
import dev.idem.internal.runtime.Nanos;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fence;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.ImportedRun;
import dev.idem.spi.Ledger;
import dev.idem.spi.Owner;
import dev.idem.spi.Retention;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Claims of programs in other processes. They are decided as {@link Claiming} decides, and answered at once: such a
 * program runs the action, asks the probe, waits and keeps time itself. A claim without an answer is never settled
 * here, since a repeat of it may have been granted.
 */
public final class ServedClaims implements AutoCloseable {
    private static final String NO_RERUN = "a destructive action does not run again by itself after a doubt";

    private static final Retention USED_UP_FOR = Retention.of(Duration.ofMinutes(10));
    private static final Duration PURGE_EVERY = Duration.ofMinutes(10);

    private final Ledger ledger;
    private final boolean keepsDetails;
    private final Clock clock = Clock.SYSTEM;
    private final Heartbeats heartbeats;
    private final Resender resender;
    private final Waiting waiting;
    private final Upkeep upkeep;

    /** Serves this ledger; {@code keepsDetails} lets the fields of an identity be labels. */
    public ServedClaims(Ledger ledger, boolean keepsDetails) {
        this.ledger = ledger;
        this.keepsDetails = keepsDetails;
        this.heartbeats = new Heartbeats(ledger, clock, new Events(List.of()));
        this.resender = new Resender(ledger, clock, Duration.ZERO, unanswered -> {});
        this.waiting = new Waiting(ledger, clock);
        this.upkeep = new Upkeep(ledger, PURGE_EVERY);
    }

    /**
     * The program that claims.
     *
     * @param canProbe whether it can ask a probe about a doubt
     * @param hasWaited whether this call has waited for the attempt before: then it gets that attempt's result, also
     *     where a later call would run again
     */
    public record Claimer(
            AttemptId id, Owner owner, @Nullable Address parent, boolean canProbe, boolean hasWaited) {}

    /**
     * The answer to a claim.
     *
     * @param asked the address and fingerprints of the call
     * @param reworded whether it is a conflict because of its content, and not of its identity
     * @param sent when the claim was sent, by {@link System#nanoTime()}
     */
    public record Answer(Claim claim, Asked asked, boolean reworded, long sent) {}

    /** A call that asks for its entry. */
    public record Asked(Address address, Fingerprints fingerprints, List<Warning> warnings) {
        /** The warnings of a duplicate that this entry answers. */
        public List<Warning> warningsBeside(Entry entry) {
            return Replaying.warnings(warnings, fingerprints, entry);
        }
    }

    /** The call that a plan describes, before it is claimed. */
    public Asked asked(Plan plan) {
        return asked(Subject.of(plan, keepsDetails));
    }

    private static Asked asked(Subject subject) {
        return new Asked(subject.address(), subject.fingerprints(), subject.warnings());
    }

    /** Claims, and takes over an entry in doubt where the policy allows it. */
    public Answer claim(Plan plan, Claimer claimer) {
        Subject subject = Subject.of(plan, keepsDetails);
        Policy policy = plan.policy();
        keepUp();
        heartbeats.ready();
        long sent = clock.nanos();
        Claim claim = send(subject, policy, claimer, subject.labels(), TakeOver.NONE);
        if (claim instanceof Claim.InDoubt inDoubt && !isRefused(claim, subject, policy)) {
            TakeOver takeOver = Recovery.takeOver(policy, claimer.canProbe(), inDoubt, Duration.ZERO);
            if (takeOver != TakeOver.NONE) {
                sent = clock.nanos();
                claim = send(subject, policy, claimer, labels(subject, inDoubt.entry()), takeOver);
                claim = policy.sideEffect() == SideEffect.DESTRUCTIVE ? notRerun(claim) : claim;
            }
        }
        boolean reworded = isRefused(claim, subject, policy);
        return new Answer(reworded ? new Claim.Conflict(claim.entry()) : claim, asked(subject), reworded, sent);
    }

    /** Purges expired entries from now on. */
    public void keepUp() {
        upkeep.start();
    }

    private Claim send(Subject subject, Policy policy, Claimer claimer, Map<String, String> labels, TakeOver takeOver) {
        return resender.claim(new ClaimRequest(
                claimer.id(),
                subject.address(),
                subject.fingerprints(),
                claimer.parent(),
                Recovery.labels(labels, policy, claimer.canProbe()),
                claimer.owner(),
                policy.lease(),
                policy.timeLimit(),
                policy.isStaged(),
                takeOver,
                Recovery.grace(policy),
                claimer.hasWaited() ? Repeat.REPLAY : policy.onRepeat()));
    }

    private static boolean isRefused(Claim claim, Subject subject, Policy policy) {
        return !(claim instanceof Claim.Granted || claim instanceof Claim.Conflict)
                && policy.onReworded() == Reworded.CONFLICT
                && subject.fingerprints().rewordedFrom(claim.entry().fingerprints());
    }

    private static Map<String, String> labels(Subject subject, Entry doubted) {
        String inherited = doubted.labels().get(ImportedRun.LABEL);
        if (inherited == null) {
            return subject.labels();
        }
        Map<String, String> all = new TreeMap<>(subject.labels());
        all.put(ImportedRun.LABEL, inherited);
        return all;
    }

    /** Gives back a destructive action that was granted because its doubt was cleared in this very moment. */
    private Claim notRerun(Claim claim) {
        if (!(claim instanceof Claim.Granted granted) || granted.entry().probing()) {
            return claim;
        }
        Settled settled = ledger.settle(granted.ticket(), new Settlement.NotExecuted(NO_RERUN, Retention.DEFAULT));
        return new Claim.ReplayedFailure(
                settled instanceof Settled.Recorded recorded ? recorded.entry() : granted.entry());
    }

    /**
     * Renews a granted ticket until it is released, or until its limit.
     *
     * @param since when its claim or its last renewal was sent, by {@link System#nanoTime()}
     * @param left how long after that its limit is
     */
    public HeldTicket hold(Ticket ticket, Duration lease, long since, Duration left) {
        long late = clock.nanos() - since;
        return heartbeats.hold(ticket, lease, new ClaimStart(since, clock.millis() - late / 1_000_000, 0), left, null);
    }

    /** Renews a ticket no more. */
    public void release(HeldTicket held) {
        heartbeats.release(held);
    }

    /**
     * Settles an attempt that ran nothing, if its claim was granted and it holds the key. Where the key is free, the id is
     * used up: a copy of the claim may still be on its way, through a server that is ending, and must find its end.
     */
    public Optional<Settled> withdraw(Address address, AttemptId id, String why) {
        Optional<Settled> ended = UnansweredClaims.withdraw(ledger, address, id, why);
        Entry found = ended.isPresent() ? null : ledger.find(address).orElse(null);
        boolean free = ended.isEmpty()
                && (found == null
                        || (found.state() == State.FAILED
                                && !found.tenure().attemptId().equals(id)));
        if (free) {
            Fingerprints same = found == null ? Fingerprints.NONE : found.fingerprints();
            // Staged: if this process ends before it settles, the silence proves that nothing happened.
            Claim claim = ledger.claim(ClaimRequest.of(id, address, same, Owner.named("a client that gave up"))
                    .withStaged(true));
            if (claim instanceof Claim.Granted granted) {
                ledger.settle(granted.ticket(), new Settlement.NotExecuted(why, USED_UP_FOR));
            }
        }
        return ended;
    }

    /**
     * Waits until the attempt with this fence has ended, or another one has the key. Gives the entry as it is then; empty
     * if there is none.
     */
    public Optional<Entry> await(Address address, Fence seen, Duration longest) throws InterruptedException {
        long deadline = clock.nanos() + Nanos.of(longest);
        Optional<Entry> entry = ledger.find(address);
        return entry.isPresent()
                        && entry.get().state() == State.IN_PROGRESS
                        && entry.get().fence().equals(seen)
                ? waiting.await(address, longest, deadline).entry()
                : entry;
    }

    @Override
    public void close() {
        upkeep.close();
        heartbeats.close();
    }
}
