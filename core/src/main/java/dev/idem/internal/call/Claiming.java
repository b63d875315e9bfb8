package dev.idem.internal.call;

import dev.idem.ConflictException;
import dev.idem.Entry;
import dev.idem.ExpiredException;
import dev.idem.InFlightException;
import dev.idem.OperationFailedException;
import dev.idem.Outcome;
import dev.idem.Repeat;
import dev.idem.Reworded;
import dev.idem.SideEffect;
import dev.idem.State;
import dev.idem.internal.runtime.Clock;
import dev.idem.internal.runtime.Nanos;
import dev.idem.spi.Claim;
import dev.idem.spi.ImportedRun;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Claims the entry of a call, and waits or recovers, until the call may run or has an answer. */
final class Claiming {
    private final ClaimSender sender;
    private final Gate gate;
    private final Clock clock;
    private final Waiting waiting;
    private final Probing probing;
    private final Events events;
    private final Doubts doubts;
    private final Replaying replaying;
    private final Acting acting;

    Claiming(
            ClaimSender sender,
            Gate gate,
            Clock clock,
            Waiting waiting,
            Probing probing,
            Events events,
            Doubts doubts,
            Replaying replaying,
            Acting acting) {
        this.sender = sender;
        this.gate = gate;
        this.clock = clock;
        this.waiting = waiting;
        this.probing = probing;
        this.events = events;
        this.doubts = doubts;
        this.replaying = replaying;
        this.acting = acting;
    }

    /** Asks the ledger until there is an answer, and runs the call where the claim is granted. */
    <T extends @Nullable Object> CompletableFuture<Ended<T>> call(Admitted call, Runner<T> runner)
            throws InterruptedException {
        Asking<T> asking = new Asking<>(call, runner);
        return asking.ask(asking.began);
    }

    /** Waits for the same call in this process and answers from its entry. Where it leaves none, asks the ledger. */
    <T extends @Nullable Object> CompletableFuture<Ended<T>> share(
            Flights.Flight running, Admitted call, Runner<T> runner) throws InterruptedException {
        return new Asking<>(call, runner).share(running);
    }

    /** One call that asks for its entry. */
    private final class Asking<T extends @Nullable Object> {
        private final Admitted call;
        private final Runner<T> runner;
        private final long began = clock.nanos();
        private final long deadline;
        /**
         * The time of the doubted entry's first run, perhaps in the ledger that it was imported from: a remote's memory
         * counts from that time.
         */
        private @Nullable String inherited;

        /** The attempt whose next round this call has taken; null where it has not. */
        private @Nullable Entry resumed;

        Asking(Admitted call, Runner<T> runner) {
            this.call = call;
            this.runner = runner;
            this.deadline = began + Nanos.of(call.policy().waitFor());
        }

        CompletableFuture<Ended<T>> share(Flights.Flight running) throws InterruptedException {
            runner.work().waits();
            long from = clock.nanos();
            Entry entry = running.await(deadline - from);
            waitedSince(from);
            if (entry == null || refusesContentOf(entry)) {
                return ask(clock.nanos());
            }
            if (!Replaying.isCompleted(entry)) {
                return answer(endedElsewhere(entry));
            }
            waiting.shared(entry);
            return answer(new Ended<>(replaying.replay(call, entry, "shared with the call that ran it", true), null));
        }

        /** Counts the first claim as sent at the given time, which is slightly early: the lease must not seem longer. */
        CompletableFuture<Ended<T>> ask(long from) throws InterruptedException {
            TakeOver takeOver = TakeOver.NONE;
            Repeat repeat = call.policy().onRepeat();
            boolean doubted = false;
            for (ClaimStart sent = sender.startAt(from); ; sent = sender.start()) {
                Attempt attempt = null;
                Claim claim;
                gate.claiming();
                try {
                    gate.requireOpen();
                    claim = sender.send(sent, call, labels(), takeOver, repeat);
                    if (claim instanceof Claim.Granted granted
                            && !granted.entry().probing()) {
                        attempt = acting.hold(call, granted.entry(), sent);
                    }
                } finally {
                    gate.claimed();
                }
                if (!(claim instanceof Claim.Granted || claim instanceof Claim.Conflict)
                        && refusesContentOf(claim.entry())) {
                    return answer(refused(new Outcome.Conflict<>(ConflictException.ofContent(claim.entry()))));
                }
                if (claim instanceof Claim.Granted granted) {
                    if (takeOver != TakeOver.NONE) {
                        events.tookOver(granted.entry(), takeOver);
                    }
                    if (attempt != null) {
                        return granted(attempt, doubted);
                    }
                    Ended<T> probed = probing.probed(call, granted.entry(), sent);
                    if (probed != null) {
                        return answer(probed);
                    }
                    takeOver = TakeOver.NONE;
                } else if (claim instanceof Claim.InFlight inFlight) {
                    Ended<T> waited = waited(inFlight);
                    if (waited != null) {
                        return answer(waited);
                    }
                    takeOver = TakeOver.NONE;
                    // A waiter gets the result of the attempt that it waited for, also where a later call would run
                    // again.
                    repeat = inFlight.entry().state() == State.COMPLETE ? repeat : Repeat.REPLAY;
                } else if (claim instanceof Claim.InDoubt inDoubt) {
                    doubted = true;
                    inherited = inDoubt.entry().labels().get(ImportedRun.LABEL);
                    if (resumed == null && runner.work().resumes(inDoubt.entry())) {
                        resumed = inDoubt.entry();
                        takeOver = sender.resume(resumed) ? TakeOver.RERUN : TakeOver.NONE;
                        continue;
                    }
                    takeOver = Recovery.takeOver(
                            call.policy(),
                            call.plan().probe() != null,
                            inDoubt,
                            Duration.ofNanos(deadline - clock.nanos()));
                    if (takeOver == TakeOver.NONE) {
                        return answer(inDoubt(inDoubt.entry(), inDoubt.age()));
                    }
                    if (takeOver == TakeOver.PROBE) {
                        pause(inDoubt);
                    }
                } else {
                    return answer(settledBefore(claim, sent));
                }
            }
        }

        private CompletableFuture<Ended<T>> granted(Attempt attempt, boolean doubted) {
            if (resumed != null) {
                boolean next = attempt.granted.attempt() == resumed.attempt() + 1
                        && attempt.granted
                                .times()
                                .created()
                                .equals(resumed.times().created());
                return next
                        ? acting.run(attempt, runner)
                        : answer(acting.giveBack(attempt, "another attempt came before the next round of this call"));
            }
            return doubted && call.policy().sideEffect() == SideEffect.DESTRUCTIVE
                    ? answer(
                            acting.giveBack(attempt, "a destructive action does not run again by itself after a doubt"))
                    : acting.run(attempt, runner);
        }

        private CompletableFuture<Ended<T>> answer(Ended<T> ended) {
            return CompletableFuture.completedFuture(ended);
        }

        private Ended<T> settledBefore(Claim claim, ClaimStart sent) {
            Entry entry = claim.entry();
            if (claim instanceof Claim.Replay) {
                replaying.remember(entry, sent.dropsBefore());
                return new Ended<>(replaying.replay(call, entry, "replayed", false), entry);
            } else if (claim instanceof Claim.ReplayedFailure) {
                return refused(new Outcome.Failed<>(new OperationFailedException(entry, isKept(entry))));
            } else if (claim instanceof Claim.Expired) {
                return refused(new Outcome.Expired<>(new ExpiredException(entry)));
            }
            return refused(new Outcome.Conflict<>(ConflictException.ofIdentity(entry)));
        }

        /** The end of the call after waiting, or null to claim again. */
        private @Nullable Ended<T> waited(Claim.InFlight inFlight) throws InterruptedException {
            long from = clock.nanos();
            if (from - deadline >= 0) {
                return refused(new Outcome.InFlight<>(new InFlightException(inFlight.entry(), inFlight.leaseLeft())));
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            runner.work().waits();
            if (inFlight.entry().state() == State.FAILED || inFlight.entry().state() == State.COMPLETE) {
                // A transaction that is not committed yet runs an ended entry again. The next claim waits for its end.
                return null;
            }
            Waiting.Waited waited = waiting.await(call.address(), inFlight.leaseLeft(), deadline);
            waitedSince(from);
            Entry entry = waited.entry().orElse(null);
            if (entry == null || waited.end() != Waiting.End.ENDED) {
                // Another claim shows what has changed or, for an attempt that runs on, whether its lease has ended.
                return null;
            }
            boolean another = call.fingerprints().conflictsWith(entry.fingerprints()) || refusesContentOf(entry);
            return another ? null : endedElsewhere(entry);
        }

        /** Waits until the probe may be asked, or the entry is no longer in doubt. */
        private void pause(Claim.InDoubt inDoubt) throws InterruptedException {
            if (!inDoubt.probeIn().isZero()) {
                runner.work().waits();
                long from = clock.nanos();
                long until = Math.min(from + inDoubt.probeIn().toNanos(), deadline);
                waiting.whileUnchanged(inDoubt.entry(), until);
                waitedSince(from);
            }
        }

        private void waitedSince(long from) {
            events.waited(call.address(), Duration.ofNanos(clock.nanos() - from));
        }

        private boolean refusesContentOf(Entry entry) {
            return call.policy().onReworded() == Reworded.CONFLICT
                    && call.fingerprints().rewordedFrom(entry.fingerprints());
        }

        /** A waiter gets the outcome of the attempt it waited for: one failure is not followed by sixteen runs. */
        private Ended<T> endedElsewhere(Entry entry) {
            Outcome<T> outcome = entry.state() == State.IN_DOUBT && entry.doubt() != null
                    ? new Outcome.InDoubt<>(doubts.reportEnded(call.plan(), entry))
                    : new Outcome.Failed<>(new OperationFailedException(entry, isKept(entry)));
            return new Ended<>(events.refused(outcome), entry);
        }

        private static boolean isKept(Entry entry) {
            return entry.settlement() instanceof Settlement.Failed failed && failed.kept();
        }

        private Ended<T> inDoubt(Entry entry, Duration age) {
            return refused(new Outcome.InDoubt<>(doubts.reportFound(call.plan(), entry, age)));
        }

        private Ended<T> refused(Outcome<T> outcome) {
            return new Ended<>(events.refused(outcome), null);
        }

        private Map<String, String> labels() {
            if (inherited == null) {
                return call.subject().labels();
            }
            Map<String, String> all = new TreeMap<>(call.subject().labels());
            all.put(ImportedRun.LABEL, inherited);
            return all;
        }
    }
}
