package dev.idem.agent.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Idem;
import dev.idem.NotExecutedException;
import dev.idem.Policy;
import dev.idem.agent.tool.Once;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.agent.tool.ToolAnswer.Status;
import dev.idem.agent.tool.Toolbox;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How sessions are opened, found and closed, and which tools they know: the same on every ledger. */
final class SessionTest {
    private final AtomicInteger runs = new AtomicInteger();
    private final Tool charge = Tool.named("charge").run((call, in) -> "charged " + runs.incrementAndGet());
    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();

    @AfterEach
    void close() {
        idem.close();
    }

    @Test
    void anUnknownToolIsAnAnswerForTheModel() {
        ToolAnswer answer = Session.of(idem, "order-1", charge).call("charrge", "{}");

        assertThat(answer.status()).isEqualTo(Status.UNKNOWN_TOOL);
        assertThat(answer.error()).isTrue();
        assertThat(answer.text())
                .isEqualTo("There is no tool 'charrge', so nothing was called. The tools are: charge.");
        assertThatThrownBy(answer::value).hasMessage(answer.text());
    }

    /** The third look was answered with the state from before the refund. */
    @Test
    void theLoopGuardLetsAModelLookAgainAfterAWriteThatRan() {
        AtomicInteger refunds = new AtomicInteger();
        Tool status =
                Tool.named("status").policy(Policy.read()).run((call, in) -> refunds.get() == 0 ? "open" : "refunded");
        Tool refund = Tool.named("refund").run((call, in) -> "refund " + refunds.incrementAndGet());
        Session session = Session.of(idem, "order-1", status, refund);

        assertThat(session.call("status", "{}").value()).isEqualTo("open");
        assertThat(session.call("status", "{}").value()).isEqualTo("open");
        session.call("refund", "{}");
        assertThat(session.call("status", "{}").value()).isEqualTo("refunded");
        assertThat(session.call("refund", "{}").status()).as("changes nothing").isEqualTo(Status.REPLAYED);
        session.call("status", "{}");
        assertThat(session.call("status", "{}").status()).isEqualTo(Status.STOPPED);
    }

    /** The refund may have taken effect, so that it was not shown. */
    @Test
    void alsoAfterAWriteThatEndedInDoubtButNotAfterOneThatDidNotRun() {
        Tool status = Tool.named("status").policy(Policy.read()).run((call, in) -> "open");
        Tool refund = Tool.named("refund").run((call, in) -> {
            throw new IllegalStateException("the answer was lost");
        });
        Tool refuse = Tool.named("refuse").run((call, in) -> {
            throw new NotExecutedException("not today");
        });
        Session session = Session.of(idem, "order-1", status, refund, refuse);

        session.call("status", "{}");
        session.call("status", "{}");
        assertThat(session.call("refund", "{}").status()).isEqualTo(Status.IN_DOUBT);
        assertThat(session.call("status", "{}").value()).isEqualTo("open");
        session.call("status", "{}");
        assertThat(session.call("refund", "{}").status()).as("does not run").isEqualTo(Status.IN_DOUBT);
        assertThat(session.call("refuse", "{}").status()).isEqualTo(Status.FAILED);
        assertThat(session.call("status", "{}").status()).isEqualTo(Status.STOPPED);
    }

    @Test
    void tasksWithoutAnIdAreNotOne() {
        assertThat(Session.of(idem, null, charge).call("charge", "{}").value()).isEqualTo("charged 1");
        assertThat(Session.of(idem, null, charge).call("charge", "{}").value()).isEqualTo("charged 2");
        for (String blank : List.of("", " ", "\n")) {
            assertThatThrownBy(() -> Session.of(idem, blank, charge))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Give the task's own id");
        }
    }

    @Test
    void aSessionWithAToolThatNamesNoArgumentOfItsOwnIsNotOpened() {
        record Mail(String to, String body) {}
        Tool mail = Tool.named("mail").input(Mail.class).identity("too").run((call, in) -> "sent");

        assertThatThrownBy(() -> Session.of(idem, "task-1", mail))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tool 'mail' has no argument 'too'");
    }

    static class Greeter {
        @Once(identity = "name")
        String greet(String name, String words) {
            return words + ", " + name;
        }
    }

    @Test
    void annotatedMethodsAreCalledByName() {
        Session session = Session.of(idem, "order-1", Toolbox.in(new Greeter()));

        assertThat(session.call("greet", "{\"name\":\"Ann\",\"words\":\"Hello\"}")
                        .text())
                .isEqualTo("Hello, Ann");
        assertThat(session.call("greet", "{\"name\":\"Ann\",\"words\":\"Hi\"}").value())
                .isEqualTo("Hello, Ann");
    }

    @Test
    void aFrameworkMayBringTheCodeWithTheCall() {
        Tool declared = Tool.named("remote").identity("id").build();
        Session session = Session.of(idem, "order-1");

        ToolAnswer answer = session.call(ToolCall.of(declared, "{\"id\":7}")
                .action((call, in) -> "delegate ran " + in.json() + " under " + call.key()));

        assertThat(answer.text())
                .isEqualTo("delegate ran {\"id\":7} under "
                        + answer.address().orElseThrow().key());
        assertThatThrownBy(() -> session.call(ToolCall.of(declared, "{}"))).hasMessageContaining("has no code");
    }

    @Test
    void aSessionWithoutAnIdSaysThatItCannotSurviveARestart() {
        Session fresh = Session.fresh(idem, charge);
        Session other = Session.fresh(idem, charge);

        assertThat(fresh.survivesRestart()).isFalse();
        assertThat(Session.of(idem, "order-1").survivesRestart()).isTrue();
        assertThat(fresh.id()).isNotEqualTo(other.id());
    }

    @Test
    void withoutAStableIdReadsRunAndTheRestIsToldWhatToAdd() {
        Tool lookup = Tool.named("lookup").policy(Policy.read()).run((call, in) -> "found");
        Session session = Session.builder(idem)
                .tools(charge, lookup)
                .readsOnly("@MemoryId String orderId")
                .open();

        ToolAnswer refused = session.call("charge", "{\"customer\":\"cus_1\",\"cents\":1}");

        assertThat(session.call("lookup", "{}").text()).isEqualTo("found");
        assertThat(refused.status()).isEqualTo(Status.NO_SESSION);
        assertThat(refused.text()).endsWith("The developer has to add: @MemoryId String orderId");
        assertThat(runs).hasValue(0);
    }

    @Test
    void sessionsAreOpenedByTheirIdsAndTheEldestIsLetGo() {
        Sessions sessions = Sessions.like(Session.builder(idem).tools(charge), 2);
        Session first = sessions.get("a");
        sessions.get("b");

        assertThat(sessions.get("a")).isSameAs(first);
        sessions.get("c");
        sessions.get("d");
        assertThat(sessions.get("a")).isNotSameAs(first);
        assertThat(sessions.withoutId("add this").call("charge", "{}").status()).isEqualTo(Status.NO_SESSION);
    }

    @Test
    void aClosedSessionCallsNothing() {
        Session session = Session.of(idem, "order-1");
        session.close();

        assertThatThrownBy(() -> session.call("charge", "{}")).isInstanceOf(IllegalStateException.class);
    }
}
