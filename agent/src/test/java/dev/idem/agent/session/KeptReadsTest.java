package dev.idem.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.Listener;
import dev.idem.Policy;
import dev.idem.agent.cache.LedgerStore;
import dev.idem.agent.cache.ToolCache;
import dev.idem.agent.retry.Retry;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.agent.tool.ToolAnswer.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A read is kept as long as its tool says, and no longer than until something is written. */
final class KeptReadsTest extends CallCase {
    @Test
    void aReadWithATtlIsKeptUntilTheSessionWrites() {
        Tool lookup = Tool.named("lookup")
                .policy(Policy.read().retention(Duration.ofMinutes(5)))
                .run((call, in) -> {
                    keys.add(call.key());
                    return "read " + keys.size();
                });
        Tool charge = Tool.named("charge").run((call, in) -> "charged");
        Tool log = Tool.named("log").keepsReads().run((call, in) -> "logged");
        Session session = Session.builder(idem)
                .id("order-1")
                .tools(lookup, charge, log)
                .withoutLoopGuard()
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
                .policy(Policy.read())
                .identity("order")
                .policy(Policy.unset().retention(Duration.ofMinutes(5)))
                .run((call, in) -> {
                    keys.add(call.key());
                    return "read " + keys.size();
                });
    }

    @Test
    void sessionsShareWhatAToolSharesIfTheyHaveOneCache() {
        Tool shared = reading().with(tool -> tool.sharedIn("catalogue"));
        Tool elsewhere = reading().with(tool -> tool.sharedIn("prices"));
        Tool other = reading().with(tool -> tool.sharedIn("catalogue"));
        ToolCache cache = ToolCache.standard();
        Session one =
                Session.builder(idem).id("order-1").cache(cache).tools(shared).open();
        Session two =
                Session.builder(idem).id("order-2").cache(cache).tools(other).open();

        assertThat(one.call("lookup", ORDER).value()).isEqualTo("read 1");
        assertThat(two.call("lookup", ORDER).value()).isEqualTo("read 1");
        assertThat(two.call("lookup", Map.of("order", 8)).value())
                .as("other arguments")
                .isEqualTo("read 2");
        assertThat(Session.builder(idem)
                        .id("order-3")
                        .cache(cache)
                        .tools(elsewhere)
                        .open()
                        .call("lookup", ORDER)
                        .value())
                .as("another region")
                .isEqualTo("read 3");
        assertThat(Session.builder(idem)
                        .id("catalogue")
                        .cache(cache)
                        .tools(reading())
                        .open()
                        .call("lookup", ORDER)
                        .value())
                .as("a session of the region's name")
                .isEqualTo("read 4");
        assertThat(Session.of(idem, "order-4", shared).call("lookup", ORDER).value())
                .as("no cache in common")
                .isEqualTo("read 5");
    }

    @Test
    void sessionsOfOneBuilderShareWithoutBeingGivenACache() {
        Sessions all = Sessions.like(Session.builder(idem).tools(reading().with(tool -> tool.sharedIn("catalogue"))));

        assertThat(all.get("order-1").call("lookup", ORDER).value()).isEqualTo("read 1");
        assertThat(all.get("order-2").call("lookup", ORDER).value()).isEqualTo("read 1");
    }

    @Test
    void processesShareReadsThroughALedger() {
        Tool shared = reading().with(tool -> tool.sharedIn("catalogue"));
        for (String id : List.of("order-1", "order-2")) {
            ToolCache ofThisProcess =
                    ToolCache.builder().store(LedgerStore.on(idem)).build();
            Session session = Session.builder(idem)
                    .id(id)
                    .cache(ofThisProcess)
                    .tools(shared)
                    .open();
            assertThat(session.call("lookup", ORDER).value()).isEqualTo("read 1");
        }
    }

    /** An agent that only writes has no tool that reads the region. */
    @Test
    void aToolNamesTheRegionsThatItMakesStale() {
        ToolCache cache = ToolCache.standard();
        Session reader = Session.builder(idem)
                .id("reader")
                .cache(cache)
                .tools(reading().with(tool -> tool.sharedIn("catalogue")))
                .open();
        Session writer = Session.builder(idem)
                .id("writer")
                .cache(cache)
                .tools(Tool.named("rename").makesStale("catalogue").run((call, in) -> "renamed"))
                .open();
        assertThat(reader.call("lookup", ORDER).value()).isEqualTo("read 1");

        writer.call("rename", ORDER);

        assertThat(reader.call("lookup", ORDER).value()).isEqualTo("read 2");
    }

    @Test
    void aSessionThatHasWrittenBelievesNothingThatOthersHaveReadBefore() {
        Tool charge = Tool.named("charge").run((call, in) -> "charged");
        Sessions all = Sessions.like(Session.builder(idem)
                .withoutLoopGuard()
                .tools(reading().with(tool -> tool.sharedIn("catalogue")), charge));
        all.get("order-1").call("lookup", ORDER);

        all.get("order-2").call("charge", ORDER);
        assertThat(all.get("order-2").call("lookup", ORDER).value())
                .as("read for the first time, after it wrote")
                .isEqualTo("read 2");
        all.get("order-2").call("charge", Map.of("order", 8));
        assertThat(all.get("order-1").call("lookup", ORDER).value())
                .as("what it had read is cleared for all")
                .isEqualTo("read 3");
    }

    /** A session that only wrote left other sessions with the value from before its write. */
    @Test
    void aSessionThatWritesClearsSharedRegionsThatItHasNeverRead() {
        Tool charge = Tool.named("charge").run((call, in) -> "charged");
        Sessions all = Sessions.like(Session.builder(idem)
                .withoutLoopGuard()
                .tools(reading().with(tool -> tool.sharedIn("catalogue")), charge));
        assertThat(all.get("order-1").call("lookup", ORDER).value()).isEqualTo("read 1");

        all.get("order-2").call("charge", ORDER);

        assertThat(all.get("order-1").call("lookup", ORDER).value()).isEqualTo("read 2");
    }

    @Test
    void aKeptReadAnswersNobodyWhoAsksForSomethingElse() {
        Session session = Session.builder(idem)
                .id("order-1")
                .tools(reading())
                .withoutLoopGuard()
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
    void whoeverGetsTheResultOfAWriteReadsWhatItHasWritten() {
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
    void whatAnotherProcessOfTheTaskHasWrittenIsReadAnewOnceItIsHeardOf() {
        Tool charge = Tool.named("charge").run((call, in) -> "charged");
        Session session = Session.builder(idem)
                .id("order-1")
                .tools(reading(), charge)
                .withoutLoopGuard()
                .open();
        session.call("lookup", ORDER);
        Session.of(idem, "order-1", charge).call("charge", ORDER);

        assertThat(session.call("charge", ORDER).status()).isEqualTo(Status.REPLAYED);
        assertThat(session.call("lookup", ORDER).value()).isEqualTo("read 2");
        session.call("charge", ORDER);
        assertThat(session.call("lookup", ORDER).value()).as("nothing new").isEqualTo("read 2");
    }

    @Test
    void aReadThatFailedIsNotKept() {
        Tool lookup = Tool.named("lookup")
                .policy(Policy.read().retention(Duration.ofMinutes(5)))
                .retry(Retry.none())
                .run(losing);
        Session session = Session.of(idem, "order-1", lookup);

        ToolAnswer failed = session.call("lookup", ORDER);

        assertThat(failed.status()).isEqualTo(Status.FAILED);
        assertThat(failed.text()).contains("socket timeout: lost");
        assertThat(session.call("lookup", ORDER).text()).isEqualTo("refunded");
    }
}
