package dev.idem.internal;

import dev.idem.Address;
import dev.idem.ConflictException;
import dev.idem.Entry;
import dev.idem.ExpiredException;
import dev.idem.IdemException;
import dev.idem.InDoubtException;
import dev.idem.InFlightException;
import dev.idem.OperationFailedException;
import dev.idem.Outcome;
import dev.idem.Probe;
import dev.idem.Repeat;
import dev.idem.Reworded;
import dev.idem.SideEffect;
import dev.idem.State;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Doubt;
import dev.idem.spi.ImportedRun;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Asks for one call: claims, replays, waits or recovers. A granted claim becomes an attempt to run. */
final class Guarded<T extends @Nullable Object> {
    private final Engine engine;
    private final Plan plan;
    private final Subject subject;
    private final @Nullable Address parent;
    private final long began;
    private final long deadline;
    private @Nullable Entry shared;
    /**
     * The time of the doubted entry's first run, perhaps in the ledger that it was imported from: a remote's memory
     * counts from that time.
     */
    private @Nullable String inherited;

    Guarded(Engine engine, Plan plan, Subject subject, @Nullable Address parent) {
        this.engine = engine;
        this.plan = plan;
        this.subject = subject;
        this.parent = parent;
        this.began = now();
        this.deadline = began + Nanos.of(plan.policy.waitFor());
    }

    /** The answer to a call: an attempt to run, or the outcome of another call. */
    sealed interface Answer<T extends @Nullable Object> {
        /** The claim was granted. */
        record Granted<T extends @Nullable Object>(Attempt<T> attempt) implements Answer<T> {}

        /** The call has ended, and duplicates in this process may share the entry, where there is one. */
        record Ended<T extends @Nullable Object>(
                Outcome<T> outcome, @Nullable Entry shared) implements Answer<T> {}
    }

    /** Takes the outcome of a running call in this process; if it leaves none, asks the ledger. */
    Answer<T> sharing(Flight running) throws InterruptedException {
        long from = now();
        Entry ended = running.await(deadline - from);
        engine.events.waited(subject.address(), Duration.ofNanos(now() - from));
        if (ended == null || refusesContentOf(ended)) {
            return ask(now());
        }
        return told(
                Engine.isCompleted(ended)
                        ? engine.replay(plan, subject, ended, "shared with the call that ran it", true)
                        : endedElsewhere(ended));
    }

    /** Asks the ledger until there is an answer. */
    Answer<T> alone() throws InterruptedException {
        return ask(began);
    }

    /** Counts the first claim as sent at the given time, which is slightly early: the lease must not seem longer. */
    private Answer<T> ask(long from) throws InterruptedException {
        TakeOver takeOver = TakeOver.NONE;
        Repeat repeat = plan.policy.onRepeat();
        boolean doubted = false;
        engine.heartbeats.ready();
        for (ClaimStart sent = ClaimStart.at(engine, from); ; sent = ClaimStart.now(engine)) {
            Attempt<T> attempt = null;
            Claim claim;
            engine.claiming();
            try {
                engine.requireOpen();
                claim = engine.resender.claim(request(takeOver, repeat, sent));
                if (claim instanceof Claim.Granted granted && !granted.entry().probing()) {
                    // Inside a transaction no other owner can take over, and the claim may have waited for another
                    // transaction.
                    ClaimStart since = engine.around == null ? sent : ClaimStart.now(engine);
                    attempt = new Attempt<>(engine, plan, granted.entry(), since, subject);
                }
            } finally {
                engine.claimed();
            }
            if (!(claim instanceof Claim.Granted || claim instanceof Claim.Conflict)
                    && refusesContentOf(claim.entry())) {
                return told(refused(new Outcome.Conflict<>(ConflictException.ofContent(claim.entry()))));
            }
            if (claim instanceof Claim.Granted granted) {
                if (takeOver != TakeOver.NONE) {
                    engine.events.tookOver(granted.entry(), takeOver);
                }
                if (attempt != null) {
                    // A destructive action never runs again by itself, even after proof that nothing happened.
                    return doubted && plan.policy.sideEffect() == SideEffect.DESTRUCTIVE
                            ? attempt.giveBack()
                            : new Answer.Granted<>(attempt);
                }
                Outcome<T> probed = probed(granted.entry(), sent);
                if (probed != null) {
                    return told(probed);
                }
                takeOver = TakeOver.NONE;
            } else if (claim instanceof Claim.InFlight inFlight) {
                Outcome<T> waited = waited(inFlight);
                if (waited != null) {
                    return told(waited);
                }
                takeOver = TakeOver.NONE;
                // A waiter gets the result of the attempt that it waited for, also where a later call would run again.
                repeat = inFlight.entry().state() == State.COMPLETE ? repeat : Repeat.REPLAY;
            } else if (claim instanceof Claim.InDoubt inDoubt) {
                doubted = true;
                inherited = inDoubt.entry().labels().get(ImportedRun.LABEL);
                TakeOver how = recovery(inDoubt);
                if (how == TakeOver.NONE) {
                    return told(inDoubt(inDoubt.entry(), inDoubt.age()));
                }
                if (how == TakeOver.PROBE && !inDoubt.probeIn().isZero()) {
                    paused(inDoubt);
                }
                takeOver = how;
            } else {
                return told(settledBefore(claim, sent));
            }
        }
    }

    private Answer<T> told(Outcome<T> outcome) {
        return new Answer.Ended<>(outcome, shared);
    }

    private Outcome<T> settledBefore(Claim claim, ClaimStart sent) {
        Entry entry = claim.entry();
        if (claim instanceof Claim.Replay) {
            shared = entry;
            engine.remember(entry, sent.remembered());
            return engine.replay(plan, subject, entry, "replayed", false);
        } else if (claim instanceof Claim.ReplayedFailure) {
            return refused(new Outcome.Failed<>(new OperationFailedException(entry, true)));
        } else if (claim instanceof Claim.Expired) {
            return refused(new Outcome.Expired<>(new ExpiredException(entry)));
        }
        return refused(new Outcome.Conflict<>(ConflictException.ofIdentity(entry)));
    }

    /** The outcome after waiting, or null to claim again. */
    private @Nullable Outcome<T> waited(Claim.InFlight inFlight) throws InterruptedException {
        if (now() - deadline >= 0) {
            return refused(new Outcome.InFlight<>(new InFlightException(inFlight.entry(), inFlight.leaseLeft())));
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (inFlight.entry().state() == State.FAILED || inFlight.entry().state() == State.COMPLETE) {
            // A transaction that is not committed yet runs an ended entry again. The next claim waits for its end.
            return null;
        }
        long from = now();
        Waiting.Waited waited = engine.waiting.await(subject.address(), inFlight.leaseLeft(), deadline);
        engine.events.waited(subject.address(), Duration.ofNanos(now() - from));
        Entry entry = waited.entry().orElse(null);
        if (entry == null || waited.end() == Waiting.End.CHANGED) {
            return null;
        } else if (waited.end() == Waiting.End.RUNS_ON) {
            // Another claim shows how long the lease runs, and whether it has just ended.
            return null;
        }
        boolean another = subject.fingerprints().conflictsWith(entry.fingerprints()) || refusesContentOf(entry);
        return another ? null : endedElsewhere(entry);
    }

    /** Waits until the probe may be asked, or the entry is no longer in doubt. */
    private void paused(Claim.InDoubt inDoubt) throws InterruptedException {
        long from = now();
        long until = Math.min(from + inDoubt.probeIn().toNanos(), deadline);
        engine.waiting.whileUnchanged(inDoubt.entry(), until);
        engine.events.waited(subject.address(), Duration.ofNanos(now() - from));
    }

    private boolean refusesContentOf(Entry entry) {
        return plan.policy.onReworded() == Reworded.CONFLICT
                && subject.fingerprints().rewordedFrom(entry.fingerprints());
    }

    /** A waiter gets the outcome of the attempt it waited for: one failure is not followed by sixteen runs. */
    private Outcome<T> endedElsewhere(Entry entry) {
        shared = entry;
        if (entry.state() == State.IN_DOUBT && entry.doubt() != null) {
            return inDoubt(entry, engine.ageOf(entry));
        }
        boolean kept = entry.settlement() instanceof Settlement.Failed failed && failed.kept();
        return refused(new Outcome.Failed<>(new OperationFailedException(entry, kept)));
    }

    /** The take-over that the declared policy allows for a doubt. */
    private TakeOver recovery(Claim.InDoubt inDoubt) {
        if (Recovery.remembered(plan.policy, inDoubt.age()) || plan.policy.safeToRerun()) {
            return TakeOver.RERUN;
        }
        boolean inTime = now() + inDoubt.probeIn().toNanos() - deadline < 0
                || inDoubt.probeIn().isZero();
        return Recovery.probes(plan) && inTime ? TakeOver.PROBE : TakeOver.NONE;
    }

    /** The outcome after a probe, or null to claim again. */
    private @Nullable Outcome<T> probed(Entry granted, ClaimStart sent) {
        Probe<?> probe = Objects.requireNonNull(plan.probe);
        Probing probing = new Probing(engine, plan);
        Entry after = probing.ask(probe, granted, sent);
        if (after == null || (after.state() == State.FAILED && plan.policy.sideEffect() != SideEffect.DESTRUCTIVE)) {
            return null;
        } else if (after.state() == State.FAILED) {
            // A destructive action never runs again by itself. A new call of the caller is a decision to run it.
            return refused(new Outcome.Failed<>(new OperationFailedException(after, false)));
        } else if (Engine.isCompleted(after)) {
            shared = after;
            engine.remember(after, sent.remembered());
            return engine.replay(plan, subject, after, "found by a probe", false);
        }
        return inDoubt(Recovery.afterProbe(after, probing.thrown()));
    }

    private Outcome<T> inDoubt(Entry entry, Duration age) {
        Doubt doubt = Objects.requireNonNull(entry.doubt());
        return inDoubt(Recovery.exception(engine, plan, entry, doubt, age));
    }

    private Outcome<T> inDoubt(InDoubtException why) {
        Log.warn(why::getMessage, null);
        return refused(new Outcome.InDoubt<>(why));
    }

    private Outcome<T> refused(Outcome<T> outcome) {
        if (outcome.failure() instanceof IdemException failure) {
            engine.events.refused(failure);
        }
        return outcome;
    }

    private ClaimRequest request(TakeOver takeOver, Repeat repeat, ClaimStart sent) {
        return new ClaimRequest(
                engine.settings.attemptIds().apply(sent.nanos()),
                subject.address(),
                subject.fingerprints(),
                parent,
                labels(),
                engine.settings.owner(),
                plan.policy.lease(),
                plan.policy.timeLimit(),
                plan.policy.isStaged(),
                takeOver,
                Recovery.grace(plan.policy),
                repeat);
    }

    private Map<String, String> labels() {
        if (inherited == null) {
            return subject.labels();
        }
        Map<String, String> all = new TreeMap<>(subject.labels());
        all.put(ImportedRun.LABEL, inherited);
        return all;
    }

    private long now() {
        return engine.settings.nanos().getAsLong();
    }
}
