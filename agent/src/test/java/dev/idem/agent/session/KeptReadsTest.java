package dev.idem.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.agent.retry.Retry;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.agent.tool.ToolAnswer.Status;
import dev.idem.call.Listener;
import dev.idem.call.SideEffect;
import dev.idem.entry.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A read is kept as long as its tool says, and no longer than until something is written. */
final class KeptReadsTest extends CallCase {
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
}
