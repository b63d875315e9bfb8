package dev.idem.agent.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.idem.Idem;
import dev.idem.agent.approval.Approvals;
import dev.idem.agent.guard.Guard;
import dev.idem.agent.guard.Limits;
import dev.idem.agent.retry.Jitter;
import dev.idem.agent.retry.Retry;
import dev.idem.agent.retry.Timing;
import dev.idem.agent.shadow.AuditLine;
import dev.idem.agent.shadow.AuditLog;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAction;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.agent.tool.ToolAnswer.Refused;
import dev.idem.agent.tool.ToolAnswer.Status;
import dev.idem.agent.tool.ToolInput;
import dev.idem.call.Listener;
import dev.idem.call.RemoteKeys;
import dev.idem.call.SideEffect;
import dev.idem.entry.Effect;
import dev.idem.entry.Entry;
import dev.idem.error.NotExecutedException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Vet, loop guard, approval, claim or replay, and retry around the action: in this order, by the side effect. */
final class WayOfACallTest {
    private static final RemoteKeys STRIPE = new RemoteKeys("Stripe", Duration.ofHours(24));
    private static final Map<String, Object> ORDER = Map.of("order", 7);

    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();
    private final Retry quick = Retry.standard().baseDelay(Duration.ofNanos(1));
    private final List<String> keys = new ArrayList<>();

    @AfterEach
    void close() {
        idem.close();
    }

    /** The response gets lost once. */
    private final ToolAction<ToolInput> losing = (call, in) -> {
        keys.add(call.key());
        if (keys.size() == 1) {
            throw new SocketTimeoutException("lost");
        }
        return "refunded";
    };

    @Test
    void an_untagged_tool_that_times_out_is_not_tried_again() {
        ToolAnswer answer = retrying(Tool.named("refund").run(losing)).call("refund", ORDER);

        assertThat(answer.status()).isEqualTo(Status.IN_DOUBT);
        assertThat(keys).hasSize(1);
    }

    @Test
    void one_that_is_idempotent_is_tried_again_with_the_same_key() {
        Tool refund = Tool.named("refund").sideEffect(SideEffect.IDEMPOTENT).run(losing);

        assertThat(retrying(refund).call("refund", ORDER).text()).isEqualTo("refunded");
        assertThat(keys).hasSize(2).containsOnly(keys.get(0));
    }

    @Test
    void one_that_passes_its_key_to_a_remote_is_tried_again_with_the_same_key() {
        Tool refund = Tool.named("refund").passesKeyTo(STRIPE).run(losing);

        assertThat(retrying(refund).call("refund", ORDER).text()).isEqualTo("refunded");
        assertThat(keys).hasSize(2).containsOnly(keys.get(0));
    }

    @Test
    void a_destructive_one_is_never_tried_again_even_tagged_both() {
        Tool refund = Tool.named("refund")
                .sideEffect(SideEffect.IDEMPOTENT)
                .sideEffect(SideEffect.DESTRUCTIVE)
                .passesKeyTo(STRIPE)
                .run(losing);

        assertThat(retrying(refund).call("refund", ORDER).status()).isEqualTo(Status.IN_DOUBT);
        assertThat(retrying(refund).call("refund", ORDER).status()).isEqualTo(Status.IN_DOUBT);
        assertThat(keys).hasSize(1);
    }

    @Test
    void an_untagged_one_is_tried_again_when_nothing_happened() {
        Tool refund =
                Tool.named("refund").definiteOn(SocketTimeoutException.class).run(losing);

        assertThat(retrying(refund).call("refund", ORDER).text()).isEqualTo("refunded");
        assertThat(keys).hasSize(2);
    }

    @Test
    void a_definite_failure_after_an_ambiguous_one_is_in_doubt_all_the_same() {
        Tool refund = Tool.named("refund").sideEffect(SideEffect.IDEMPOTENT).run((call, in) -> {
            losing.run(call, in);
            throw new NotExecutedException("refused");
        });

        assertThat(retrying(refund).call("refund", ORDER).status()).isEqualTo(Status.IN_DOUBT);
    }

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
    void what_replays_while_a_run_resumes_is_not_counted() {
        Tool charge = Tool.named("charge").run((call, in) -> "charged");
        Session.of(idem, "order-1", charge).call("charge", ORDER);
        Guard once = Guard.standard().session(Limits.none().calls(1));

        Session resumed =
                Session.builder(idem).id("order-1").tools(charge).guard(once).open();

        assertThat(resumed.call("charge", ORDER).status()).isEqualTo(Status.REPLAYED);
        assertThat(resumed.call("charge", Map.of("order", 8)).status()).isEqualTo(Status.RAN);
        assertThat(resumed.call("charge", Map.of("order", 9)).status()).isEqualTo(Status.STOPPED);
    }

    @Test
    void a_tool_that_needs_an_approval_waits_for_it_and_uses_it_once() {
        Tool drop = Tool.named("drop")
                .sideEffect(SideEffect.DESTRUCTIVE)
                .approval()
                .run((call, in) -> {
                    keys.add(call.key());
                    if (keys.size() == 1) {
                        throw new NotExecutedException("locked");
                    }
                    return "dropped";
                });
        Session session =
                Session.builder(idem).id("order-1").tools(drop).withoutGuard().open();
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
        Tool drop = Tool.named("drop").approval().run((call, in) -> "dropped");
        Session session = Session.of(idem, "order-1", drop);
        for (int i = 0; i < 5; i++) {
            assertThat(session.call("drop", ORDER).status()).isEqualTo(Status.NEEDS_APPROVAL);
        }
        Approvals.on(idem).approve(((Refused) session.call("drop", ORDER)).approval(), "ann");

        assertThat(session.call("drop", ORDER).text()).isEqualTo("dropped");
    }

    @Test
    void what_is_denied_does_not_run() {
        Tool drop = Tool.named("drop").approval().run(losing);
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
        Tool lookup = Tool.named("lookup").sideEffect(SideEffect.READ).run((call, in) -> "found");
        Tool charge = Tool.named("charge").stub(in -> Map.of("id", "ch_stub")).run((call, in) -> "charged");
        Tool drop =
                Tool.named("drop").sideEffect(SideEffect.DESTRUCTIVE).approval().run(losing);
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
        assertThat(stub.text())
                .isEqualTo("{\"id\":\"ch_stub\"}\n\nNote: this is a dry run. 'charge' did not run; effect: "
                        + "would_create.");
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
    void a_read_with_a_ttl_is_kept_until_the_session_writes() {
        Tool lookup = Tool.named("lookup")
                .sideEffect(SideEffect.READ)
                .ttl(Duration.ofMinutes(5))
                .run((call, in) -> {
                    keys.add(call.key());
                    return "read " + keys.size();
                });
        Tool charge = Tool.named("charge").run((call, in) -> "charged");
        Tool log = Tool.named("log").keepsReads().run((call, in) -> "logged");
        Session session = Session.builder(idem)
                .id("order-1")
                .tools(lookup, charge, log)
                .withoutGuard()
                .open();

        assertThat(session.call("lookup", ORDER).value()).isEqualTo("read 1");
        ToolAnswer kept = session.call("lookup", ORDER);
        assertThat(kept.value()).isEqualTo("read 1");
        assertThat(kept.status()).isEqualTo(Status.REPLAYED);
        session.call("log", ORDER);
        assertThat(session.call("lookup", ORDER).value()).isEqualTo("read 1");
        session.call("charge", ORDER);
        assertThat(session.call("lookup", ORDER).value()).isEqualTo("read 2");
        session.call("charge", ORDER);
        assertThat(session.call("lookup", ORDER).value()).isEqualTo("read 2");
        assertThat(Session.of(idem, "order-2", lookup).call("lookup", ORDER).value())
                .isEqualTo("read 3");
    }

    /** A read that is kept, and says how often it was made. */
    private Tool reading() {
        return Tool.named("lookup")
                .sideEffect(SideEffect.READ)
                .identity("order")
                .ttl(Duration.ofMinutes(5))
                .run((call, in) -> {
                    keys.add(call.key());
                    return "read " + keys.size();
                });
    }

    @Test
    void a_kept_read_answers_nobody_who_asks_for_something_else() {
        Session session = Session.builder(idem)
                .id("order-1")
                .tools(reading())
                .withoutGuard()
                .open();

        session.call(ToolCall.of("lookup", ORDER).key("k"));

        assertThat(session.call(ToolCall.of("lookup", Map.of("order", 8)).key("k"))
                        .value())
                .as("the same key, and another identity")
                .isEqualTo("read 2");
        assertThat(session.call("lookup", Map.of("order", 8, "field", "name")).value())
                .isEqualTo("read 3");
        assertThat(session.call("lookup", Map.of("order", 8, "field", "price")).value())
                .as("the same identity, and other content")
                .isEqualTo("read 4");
        assertThat(session.call("lookup", Map.of("order", 8, "field", "name")).value())
                .isEqualTo("read 3");
    }

    @Test
    void whoever_gets_the_result_of_a_write_reads_what_it_has_written() {
        List<Session> sessions = new ArrayList<>();
        List<Object> read = new ArrayList<>();
        Listener settled = new Listener() {
            @Override
            public void settled(Entry entry) {
                read.add(sessions.get(0).call("lookup", ORDER).value());
            }
        };
        try (Idem watched =
                Idem.builder().ledger("memory:").listener(settled).quiet().open()) {
            Tool charge = Tool.named("charge").run((call, in) -> "charged");
            sessions.add(Session.of(watched, "order-1", reading(), charge));
            sessions.get(0).call("lookup", ORDER);

            sessions.get(0).call("charge", ORDER);
        }

        assertThat(read).as("as soon as others may see the write").containsExactly("read 2");
    }

    @Test
    void what_another_process_of_the_task_has_written_is_read_anew_once_it_is_heard_of() {
        Tool charge = Tool.named("charge").run((call, in) -> "charged");
        Session session = Session.builder(idem)
                .id("order-1")
                .tools(reading(), charge)
                .withoutGuard()
                .open();
        session.call("lookup", ORDER);
        Session.of(idem, "order-1", charge).call("charge", ORDER);

        assertThat(session.call("charge", ORDER).status()).isEqualTo(Status.REPLAYED);
        assertThat(session.call("lookup", ORDER).value()).isEqualTo("read 2");
        session.call("charge", ORDER);
        assertThat(session.call("lookup", ORDER).value()).as("nothing new").isEqualTo("read 2");
    }

    @Test
    void no_try_begins_after_the_time_in_which_it_may_act() {
        AtomicLong nanos = new AtomicLong();
        Tool mail = Tool.named("mail").timeLimit(Duration.ofSeconds(1)).run((call, in) -> {
            keys.add(call.key());
            throw new NotExecutedException("busy");
        });
        Retry patient = Retry.standard()
                .baseDelay(Duration.ofSeconds(1))
                .jitter(Jitter.NONE)
                .timing(new Sleeping(nanos));
        try (Idem timed =
                Idem.builder().ledger("memory:").nanos(nanos::get).quiet().open()) {
            Session session = Session.builder(timed)
                    .id("order-1")
                    .tools(mail)
                    .retry(patient)
                    .open();

            assertThat(session.call("mail", ORDER).status()).isEqualTo(Status.FAILED);
        }

        assertThat(keys).hasSize(1);
    }

    @Test
    void doubt_is_nobodys_approval() {
        Tool drop = Tool.named("drop").passesKeyTo(STRIPE).approval().run((call, in) -> {
            keys.add(call.key());
            return "dropped";
        });
        // As a crash before the approval was used leaves it.
        idem.operation("drop").scope("order-1").identity(ORDER).attempt(call -> {
            throw new SocketTimeoutException("lost");
        });
        Session session =
                Session.builder(idem).id("order-1").tools(drop).withoutGuard().open();

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
                .passesKeyTo(STRIPE)
                .retry(Retry.none())
                .approval()
                .run(losing);
        Session session =
                Session.builder(idem).id("order-1").tools(drop).withoutGuard().open();
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
        assertThat(second.text()).startsWith("'refund' was not called: an earlier call of it was cut off");
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

    /** Time that passes only by sleeping. */
    private record Sleeping(AtomicLong time) implements Timing {
        @Override
        public long nanos() {
            return time.get();
        }

        @Override
        public Instant now() {
            return Instant.EPOCH.plusNanos(time.get());
        }

        @Override
        public void sleep(Duration duration) {
            time.addAndGet(duration.toNanos());
        }

        @Override
        public Alarm after(Duration duration, Runnable task) {
            return () -> {};
        }
    }

    @Test
    void a_read_that_failed_is_not_kept() {
        Tool lookup = Tool.named("lookup")
                .sideEffect(SideEffect.READ)
                .ttl(Duration.ofMinutes(5))
                .retry(Retry.none())
                .run(losing);
        Session session = Session.of(idem, "order-1", lookup);

        ToolAnswer failed = session.call("lookup", ORDER);

        assertThat(failed.status()).isEqualTo(Status.FAILED);
        assertThat(failed.text()).contains("socket timeout: lost");
        assertThat(session.call("lookup", ORDER).text()).isEqualTo("refunded");
    }

    private record Wanted(List<String> ids) {}

    @Test
    void code_that_changes_its_arguments_changes_those_of_no_other_call() {
        Tool lookup = Tool.named("lookup")
                .sideEffect(SideEffect.READ)
                .input(Wanted.class)
                .run((call, in) -> drained(in));
        Session session = Session.of(idem, "order-1", lookup);
        String json = "{\"ids\":[\"a\",\"b\"]}";

        assertThat(session.call("lookup", json).value()).isEqualTo("a b");
        assertThat(session.call("lookup", json).value()).isEqualTo("a b");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void what_is_tried_or_called_again_runs_with_the_arguments_that_its_key_was_made_from(int tries) {
        Tool send = Tool.named("send")
                .input(Wanted.class)
                .retry(quick.maxAttempts(tries))
                .run((call, in) -> {
                    keys.add(drained(in));
                    if (keys.size() == 1) {
                        throw new NotExecutedException("locked");
                    }
                    return "sent";
                });
        Session session = Session.of(idem, "order-1", send);
        String json = "{\"ids\":[\"a\",\"b\"]}";

        session.call("send", json);
        assertThat(session.call("send", json).value()).isEqualTo("sent");

        assertThat(keys).containsExactly("a b", "a b");
    }

    private static String drained(Wanted in) {
        String all = String.join(" ", in.ids());
        in.ids().clear();
        return all;
    }

    @Test
    void sessions_are_opened_by_their_ids_and_the_eldest_is_let_go() {
        Tool charge = Tool.named("charge").run(losing);
        Sessions sessions = Sessions.like(Session.builder(idem).tools(charge), 2);
        Session first = sessions.get("a");
        sessions.get("b");

        assertThat(sessions.get("a")).isSameAs(first);
        sessions.get("c");
        sessions.get("d");
        assertThat(sessions.get("a")).isNotSameAs(first);
        assertThat(sessions.withoutId("add this").call("charge", ORDER).status())
                .isEqualTo(Status.NO_SESSION);
    }

    @Test
    void a_closed_session_calls_nothing() {
        Session session = Session.of(idem, "order-1");
        session.close();

        assertThatThrownBy(() -> session.call("charge", "{}")).isInstanceOf(IllegalStateException.class);
    }

    private Session retrying(Tool tool) {
        return Session.builder(idem).id("order-1").tools(tool).retry(quick).open();
    }
}
