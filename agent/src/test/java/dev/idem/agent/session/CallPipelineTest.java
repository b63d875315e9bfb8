package dev.idem.agent.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.idem.NotExecutedException;
import dev.idem.Policy;
import dev.idem.agent.approval.Approvals;
import dev.idem.agent.guard.Limits;
import dev.idem.agent.guard.LoopGuard;
import dev.idem.agent.retry.Retry;
import dev.idem.agent.shadow.AuditLine;
import dev.idem.agent.shadow.AuditLog;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.agent.tool.ToolAnswer.Refused;
import dev.idem.agent.tool.ToolAnswer.Status;
import dev.idem.agent.tool.ToolRefusedException;
import dev.idem.spi.Effect;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Loop guard, approval, claim or replay: in this order, by the side effect. */
final class CallPipelineTest extends CallCase {
    /** The first call ends only when the second one was told that it has to wait. */
    @Test
    void aDuplicateThatWaitsIsToldSoAndCountsOnce() throws Exception {
        CountDownLatch runs = new CountDownLatch(1);
        CompletableFuture<String> receipt = new CompletableFuture<>();
        Policy patient = Policy.write().waitFor(Duration.ofMinutes(1));
        Tool charge = Tool.named("charge").policy(patient).run((call, in) -> {
            runs.countDown();
            return receipt.get(1, TimeUnit.MINUTES);
        });
        Session session = Session.of(idem, "order-1", charge);
        ToolCall call = ToolCall.of("charge", ORDER).onWait(() -> receipt.complete("ch_1"));

        var first = CompletableFuture.supplyAsync(() -> session.call(call));
        assertThat(runs.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(receipt).as("a call that runs does not wait").isNotDone();
        ToolAnswer second = session.call(call);

        assertThat(first.get(1, TimeUnit.MINUTES).value()).isEqualTo("ch_1");
        assertThat(second.status()).isEqualTo(Status.REPLAYED);
        assertThat(session.report().toString()).isEqualTo("2 calls, 1 ran, 1 replayed, 1 duplicate prevented");
    }

    @Test
    void theThirdIdenticalCallInTheWindowIsStoppedBeforeItRuns() {
        Tool charge = Tool.named("charge").run((call, in) -> {
            keys.add(call.key());
            return "charged";
        });
        Session session = Session.of(idem, "order-1", charge);

        session.call("charge", ORDER);
        ToolAnswer second = session.call("charge", ORDER);
        ToolAnswer third = session.call("charge", ORDER);

        assertThat(second.status()).isEqualTo(Status.REPLAYED);
        assertThat(third.status()).isEqualTo(Status.STOPPED);
        assertThat(third.text()).contains("'charge'").contains("charged");
        assertThat(session.report().toString())
                .isEqualTo("3 calls, 1 ran, 1 replayed, 1 refused, 2 duplicates prevented");
    }

    @Test
    void aStoppedCallThatIsDoneCarriesItsResultAndIsNotToBeMadeWithOtherArguments() {
        Tool charge = Tool.named("charge").run((call, in) -> Map.of("receipt", "ch_" + keys.size()));
        LoopGuard budget = LoopGuard.standard().session(Limits.none().calls(2));
        for (LoopGuard guard : List.of(LoopGuard.standard(), budget)) {
            Session session = Session.builder(idem)
                    .id("order-" + guard.hashCode())
                    .tools(charge)
                    .loopGuard(guard)
                    .open();
            Object first = session.call("charge", ORDER).value();
            session.call("charge", ORDER);

            ToolAnswer stopped = session.call("charge", ORDER);

            assertThat(stopped.status()).isEqualTo(Status.STOPPED);
            assertThat(stopped.value()).as("code gets the value").isEqualTo(first);
            assertThat(stopped.error()).isFalse();
            assertThat(stopped.text())
                    .startsWith("'charge' is already done; do not call it again.")
                    .contains("ch_0")
                    .doesNotContain("arguments");
        }
    }

    @Test
    void aStoppedCallThatIsInDoubtIsNotToBeMadeAgain() {
        Tool charge = Tool.named("charge").run((call, in) -> {
            throw new IOException("response lost");
        });
        Session session = Session.of(idem, "order-1", charge);
        session.call("charge", ORDER);
        session.call("charge", ORDER);

        ToolAnswer stopped = session.call("charge", ORDER);

        assertThat(stopped.status()).isEqualTo(Status.STOPPED);
        assertThat(stopped.error()).isTrue();
        assertThat(stopped.text())
                .contains("it is unknown whether an earlier call of it took effect")
                .contains("Do not call it again")
                .doesNotContain("arguments");
        assertThatThrownBy(stopped::value).isInstanceOf(ToolRefusedException.class);
    }

    @Test
    void aStoppedReadIsToldWhatItGaveAndIsNeverAnsweredWithSomethingOld() {
        Tool status = Tool.named("status").policy(Policy.read()).run((call, in) -> "running");
        Session session = Session.of(idem, "order-1", status);
        session.call("status", ORDER);
        session.call("status", ORDER);

        ToolAnswer stopped = session.call("status", ORDER);

        assertThat(stopped.text()).contains("running").doesNotContain("change the arguments");
        assertThatThrownBy(stopped::value).isInstanceOf(ToolRefusedException.class);
    }

    @Test
    void whatReplaysWhileARunResumesIsNotCounted() {
        Tool charge = Tool.named("charge").run((call, in) -> "charged");
        Session.of(idem, "order-1", charge).call("charge", ORDER);
        LoopGuard once = LoopGuard.standard().session(Limits.none().calls(1));

        Session resumed = Session.builder(idem)
                .id("order-1")
                .tools(charge)
                .loopGuard(once)
                .open();

        assertThat(resumed.call("charge", ORDER).status()).isEqualTo(Status.REPLAYED);
        assertThat(resumed.call("charge", Map.of("order", 8)).status()).isEqualTo(Status.RAN);
        assertThat(resumed.call("charge", Map.of("order", 9)).status()).isEqualTo(Status.STOPPED);
    }

    @Test
    void aToolThatNeedsAnApprovalWaitsForItAndUsesItOnce() {
        Tool drop = Tool.named("drop").policy(Policy.destructive().approval()).run((call, in) -> {
            keys.add(call.key());
            if (keys.size() == 1) {
                throw new NotExecutedException("locked");
            }
            return "dropped";
        });
        Session session = Session.builder(idem)
                .id("order-1")
                .tools(drop)
                .withoutLoopGuard()
                .open();
        Approvals approvals = Approvals.on(idem);

        Refused pending = (Refused) session.call("drop", ORDER);
        assertThat(pending.status()).isEqualTo(Status.NEEDS_APPROVAL);
        assertThat(idem.find(pending.address().orElseThrow())).isEmpty();
        approvals.approve(pending.approval(), "ann");
        assertThat(session.call("drop", ORDER).status()).isEqualTo(Status.FAILED);
        Refused again = (Refused) session.call("drop", ORDER);
        assertThat(again.status()).isEqualTo(Status.NEEDS_APPROVAL);
        approvals.approve(again.approval(), "ann");
        assertThat(session.call("drop", ORDER).status()).isEqualTo(Status.RAN);
        assertThat(session.call("drop", ORDER).status()).isEqualTo(Status.REPLAYED);
        assertThat(session.call("drop", Map.of("order", 8)).status()).isEqualTo(Status.NEEDS_APPROVAL);
        assertThat(keys).hasSize(2);
    }

    @Test
    void waitingForAnApprovalIsNoLoop() {
        Tool drop = Tool.named("drop").policy(Policy.unset().approval()).run((call, in) -> "dropped");
        Session session = Session.of(idem, "order-1", drop);
        for (int i = 0; i < 5; i++) {
            assertThat(session.call("drop", ORDER).status()).isEqualTo(Status.NEEDS_APPROVAL);
        }
        Approvals.on(idem).approve(((Refused) session.call("drop", ORDER)).approval(), "ann");

        assertThat(session.call("drop", ORDER).text()).isEqualTo("dropped");
    }

    @Test
    void whatIsDeniedDoesNotRun() {
        Tool drop = Tool.named("drop").policy(Policy.unset().approval()).run(losing);
        Session session = Session.of(idem, "order-1", drop);
        Refused pending = (Refused) session.call("drop", ORDER);
        Approvals.on(idem).deny(pending.approval(), "bob", "no");

        ToolAnswer denied = session.call("drop", ORDER);

        assertThat(denied.status()).isEqualTo(Status.DENIED);
        assertThat(denied.text()).contains("denied by bob").contains(": no");
        assertThat(keys).isEmpty();
    }

    @Test
    void aShadowRunReadsAndRecordsTheRest() {
        Tool lookup = Tool.named("lookup").policy(Policy.read()).run((call, in) -> "found");
        Tool charge = Tool.named("charge").stub(in -> Map.of("id", "ch_stub")).run((call, in) -> "charged");
        Tool drop = Tool.named("drop").policy(Policy.destructive().approval()).run(losing);
        Session.of(idem, "order-1", charge).call("charge", Map.of("order", 1));
        AuditLog.InMemory audit = AuditLog.inMemory();
        Session session = Session.builder(idem)
                .id("order-1")
                .tools(lookup, charge, drop)
                .shadow(audit)
                .open();

        assertThat(session.call("lookup", ORDER).text()).isEqualTo("found");
        ToolAnswer stub = session.call("charge", ORDER);
        session.call("drop", ORDER);
        session.call("charge", Map.of("order", 1));

        assertThat(stub.status()).isEqualTo(Status.RECORDED);
        assertThat(stub.text()).isEqualTo("{\"id\":\"ch_stub\"}");
        assertThat(stub.note()).hasValue("Note: this is a dry run. 'charge' did not run; effect: would_create.");
        assertThat(idem.find(stub.address().orElseThrow())).isEmpty();
        assertThat(audit.lines())
                .extracting(AuditLine::tool, AuditLine::effect)
                .containsExactly(
                        tuple("charge", Effect.WOULD_CREATE),
                        tuple("drop", Effect.WOULD_DELETE),
                        tuple("charge", Effect.NOOP));
        assertThat(audit.lines().get(0).key())
                .isEqualTo(stub.address().orElseThrow().key());
        assertThat(session.report().toString())
                .isEqualTo("4 calls, 1 ran, 0 replayed, 3 recorded, 0 duplicates prevented");
    }

    @Test
    void doubtIsNobodysApproval() {
        Tool drop = Tool.named("drop")
                .policy(Policy.unset().passesKeyTo(STRIPE).approval())
                .run((call, in) -> {
                    keys.add(call.key());
                    return "dropped";
                });
        // As a crash before the approval was used leaves it.
        idem.operation("drop").scope("order-1").identity(ORDER).attempt(call -> {
            throw new SocketTimeoutException("lost");
        });
        Session session = Session.builder(idem)
                .id("order-1")
                .tools(drop)
                .withoutLoopGuard()
                .open();

        ToolAnswer asked = session.call("drop", ORDER);

        assertThat(asked.status()).isEqualTo(Status.NEEDS_APPROVAL);
        assertThat(keys).isEmpty();
        Approvals.on(idem).approve(((Refused) asked).approval(), "ann");
        assertThat(session.call("drop", ORDER).status()).isEqualTo(Status.RAN);
        assertThat(session.call("drop", ORDER).status()).isEqualTo(Status.REPLAYED);
    }

    @Test
    void anApprovedCallThatWasCutOffIsFinishedByItsKey() {
        Tool drop = Tool.named("drop")
                .policy(Policy.unset().passesKeyTo(STRIPE))
                .retry(Retry.none())
                .policy(Policy.unset().approval())
                .run(losing);
        Session session = Session.builder(idem)
                .id("order-1")
                .tools(drop)
                .withoutLoopGuard()
                .open();
        Approvals.on(idem).approve(((Refused) session.call("drop", ORDER)).approval(), "ann");

        assertThat(session.call("drop", ORDER).status()).isEqualTo(Status.IN_DOUBT);
        assertThat(session.call("drop", ORDER).text()).isEqualTo("refunded");
        assertThat(keys).hasSize(2).containsOnly(keys.get(0));
    }

    @Test
    void aModelIsToldThatACallWasMadeAlsoWhenWhatItCalledWasInDoubt() {
        Tool refund = Tool.named("refund").run((call, in) -> {
            keys.add(call.key());
            return idem.operation("inner").key("k").run(inner -> {
                throw new SocketTimeoutException("lost");
            });
        });
        idem.operation("inner").key("k").attempt(inner -> {
            throw new SocketTimeoutException("lost");
        });
        Session session = Session.of(idem, "order-1", refund);

        ToolAnswer first = session.call("refund", ORDER);
        ToolAnswer second = session.call("refund", ORDER);

        assertThat(first.status()).isEqualTo(Status.IN_DOUBT);
        assertThat(first.text()).startsWith("'refund' was called and ended with in doubt");
        assertThat(second.text()).startsWith("'refund' was not called: an earlier call of it did not end clearly");
        assertThat(keys).hasSize(1);
    }

    @Test
    void aLoopIsStoppedAlsoInASessionThatRemembersNoMoreCalls() {
        Tool note = Tool.named("note").run((call, in) -> "noted");
        Session session = Session.of(idem, "order-1", note);
        for (int i = 0; i < 10_000; i++) {
            session.call("note", Map.of("line", i));
        }
        Map<String, Object> again = Map.of("line", -1);

        session.call("note", again);
        session.call("note", again);

        assertThat(session.call("note", again).status()).isEqualTo(Status.STOPPED);
    }
}
