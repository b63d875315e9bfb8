package dev.idem.internal.call;

import dev.idem.Address;
import dev.idem.JsonException;
import dev.idem.Outcome;
import dev.idem.Provenance;
import dev.idem.SideEffect;
import dev.idem.TransactionMode;
import dev.idem.WaitInterruptedException;
import dev.idem.Warning;
import dev.idem.spi.AmbientTransactions;
import dev.idem.spi.AmbientTransactions.Ambient;
import dev.idem.spi.Ledger;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Lets a call in: finds its entry's address, the operation around it, and the transaction that it joins. */
final class Admission {
    private final Gate gate;
    private final Ledger ledger;
    private final AmbientTransactions transactions;
    private final boolean keepsDetails;
    private final Events events;
    private final Upkeep upkeep;
    private final Sharing sharing;
    private final JoinedCalls joinedCalls;

    Admission(
            Gate gate,
            Ledger ledger,
            AmbientTransactions transactions,
            boolean keepsDetails,
            Events events,
            Upkeep upkeep,
            Sharing sharing,
            JoinedCalls joinedCalls) {
        this.gate = gate;
        this.ledger = ledger;
        this.transactions = transactions;
        this.keepsDetails = keepsDetails;
        this.events = events;
        this.upkeep = upkeep;
        this.sharing = sharing;
        this.joinedCalls = joinedCalls;
    }

    /** Makes a call. Its exception proves nothing about the operation around it. */
    <T extends @Nullable Object> CompletableFuture<Outcome<T>> call(Plan plan, Runner<T> runner) {
        Frame around = Frame.current();
        try {
            return admit(plan, around, runner).whenComplete((outcome, thrown) -> {
                Throwable failure = thrown == null ? outcome.failure() : Runner.unwrapped(thrown);
                if (failure != null) {
                    Frame.threw(around, failure);
                }
            });
        } catch (RuntimeException | Error thrown) {
            Frame.threw(around, thrown);
            throw thrown;
        }
    }

    private <T extends @Nullable Object> CompletableFuture<Outcome<T>> admit(
            Plan plan, @Nullable Frame around, Runner<T> runner) {
        gate.requireOpen();
        requireNoSession(plan);
        Subject subject;
        try {
            subject = Subject.of(plan, keepsDetails);
        } catch (IllegalArgumentException | JsonException unusable) {
            return CompletableFuture.completedFuture(new Outcome.Failed<>(unusable));
        }
        Address address = subject.address();
        boolean reads = plan.policy().sideEffect() == SideEffect.READ;
        if (around != null) {
            around.refuseInside(address, gate.engine);
            if (!reads) {
                around.refuseBesideAlone(address, gate.engine);
            }
        }
        for (Warning warning : subject.warnings()) {
            events.warned(address, warning);
        }
        upkeep.start();
        if (reads) {
            return read(subject, runner);
        }
        Admitted call = new Admitted(plan, subject, Frame.parentIn(around, gate.engine));
        JoinedTransaction joined = joined(call, around, runner);
        try {
            return joined == null
                    ? sharing.call(call, runner)
                    : CompletableFuture.completedFuture(joinedCalls.call(call, runner, joined));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WaitInterruptedException(address, e);
        }
    }

    private @Nullable JoinedTransaction joined(Admitted call, @Nullable Frame around, Runner<?> runner) {
        Ambient transaction = transactions.current();
        if (around != null && transaction != null && call.policy().transaction() == TransactionMode.JOIN) {
            around.refuseToJoin(transaction, call.address());
        }
        return new TransactionChoice(ledger, call.address(), call.policy()).joined(transaction, runner);
    }

    /** A call that ran without its approval would be worse than one that is refused. */
    private static void requireNoSession(Plan plan) {
        if (plan.policy().needsApproval() || plan.policy().retry() != null) {
            throw new IllegalStateException("the policy of operation '" + plan.operation() + "' sets "
                    + (plan.policy().needsApproval() ? "approval" : "retry")
                    + ", which needs a session of idem-agent. Make the call a tool: Session.of(idem, id, Tool.named(\""
                    + plan.operation() + "\").policy(policy).run(...)), or leave the option out. Nothing ran");
        }
    }

    /** Runs a READ, which is not claimed. */
    private static <T extends @Nullable Object> CompletableFuture<Outcome<T>> read(Subject subject, Runner<T> runner) {
        Instant now = Instant.now();
        try {
            return runner.read(new ReadCall(subject.address()))
                    .<Outcome<T>>handle((value, thrown) -> thrown == null
                            ? new Outcome.Done<>(value, Provenance.ofRead(subject.address(), now, subject.warnings()))
                            : new Outcome.Failed<>(Runner.unwrapped(thrown)))
                    .toCompletableFuture();
        } catch (Throwable thrown) {
            return CompletableFuture.completedFuture(new Outcome.Failed<>(thrown));
        }
    }
}
