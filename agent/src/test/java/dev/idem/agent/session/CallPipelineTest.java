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
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Loop guard, approval, claim or replay: in this order, by the side effect. */
final class CallPipelineTest extends CallCase {
    @Test
    void the_third_identical_call_in_the_window_is_stopped_before_it_runs() {
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
    void a_stopped_call_that_is_done_carries_its_result_and_is_not_to_be_made_with_other_arguments() {
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
    void a_stopped_call_that_is_in_doubt_is_not_to_be_made_again() {
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
    void a_stopped_read_is_told_what_it_gave_and_is_never_answered_with_something_old() {
        Tool status = Tool.named("status").policy(Policy.read()).run((call, in) -> "running");
        Session session = Session.of(idem, "order-1", status);
        session.call("status", ORDER);
        session.call("status", ORDER);

        ToolAnswer stopped = session.call("status", ORDER);

        assertThat(stopped.text()).contains("running").doesNotContain("change the arguments");
        assertThatThrownBy(stopped::value).isInstanceOf(ToolRefusedException.class);
    }

    @Test
    void what_replays_while_a_run_resumes_is_not_counted() {
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
    void a_tool_that_needs_an_approval_waits_for_it_and_uses_it_once() {
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
    void waiting_for_an_approval_is_no_loop() {
        Tool drop = Tool.named("drop").policy(Policy.unset().approval()).run((call, in) -> "dropped");
        Session session = Session.of(idem, "order-1", drop);
        for (int i = 0; i < 5; i++) {
            assertThat(session.call("drop", ORDER).status()).isEqualTo(Status.NEEDS_APPROVAL);
        }
        Approvals.on(idem).approve(((Refused) session.call("drop", ORDER)).approval(), "ann");

        assertThat(session.call("drop", ORDER).text()).isEqualTo("dropped");
    }

    @Test
    void what_is_denied_does_not_run() {
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
    void a_shadow_run_reads_and_records_the_rest() {
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
    void doubt_is_nobodys_approval() {
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
    void an_approved_call_that_was_cut_off_is_finished_by_its_key() {
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
    void a_model_is_told_that_a_call_was_made_also_when_what_it_called_was_in_doubt() {
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
    void a_loop_is_stopped_also_in_a_session_that_remembers_no_more_calls() {
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
