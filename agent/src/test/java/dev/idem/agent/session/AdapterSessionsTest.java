package dev.idem.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.agent.tool.ToolAnswer.Status;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import dev.idem.testkit.LogLines;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AdapterSessionsTest {
    record Charge(String customer, long cents) {}

    record Conversation(String user, int number) {}

    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();
    private final AtomicInteger runs = new AtomicInteger();
    private final Tool charge = Tool.named("charge").input(Charge.class).build();
    private final Tool lookup = Tool.named("lookup").policy(Policy.read()).build();
    private final AdapterSessions gate = AdapterSessions.of(Session.builder(idem), ".session(\"order-flow-abc123\")");

    @AfterEach
    void close() {
        idem.close();
    }

    private ToolAnswer charge(Object id, Object run) {
        return gate.call(
                id, run, charge, "{\"customer\":\"cus_1\",\"cents\":42}", (call, in) -> "ch_" + runs.incrementAndGet());
    }

    @Test
    void withoutAnIdOnlyReadsRunAndTheAnswerShowsTheLineToAdd() {
        ToolAnswer refused = charge(null, null);
        ToolAnswer read = gate.call(null, null, lookup, null, (call, in) -> "a good customer");

        assertThat(refused.status()).isEqualTo(Status.NO_SESSION);
        assertThat(refused.text()).contains("The developer has to add: .session(\"order-flow-abc123\")");
        assertThat(read.text()).isEqualTo("a good customer");
        assertThat(runs).hasValue(0);
    }

    @Test
    void aMissingIdIsToldToTheDeveloperOnceForEachToolAndNotOnlyToTheModel() {
        try (LogLines log = LogLines.of("dev.idem.agent")) {
            charge(null, null);
            charge(null, 2);
            gate.call(null, null, lookup, null, (call, in) -> "a good customer");
            gate.call(null, null, Tool.named("mail").build(), null, (call, in) -> "sent");

            assertThat(log.warnings()).hasSize(2);
            assertThat(log.warnings().get(0))
                    .contains("'charge' was refused")
                    .contains("without a session id")
                    .endsWith("Add: .session(\"order-flow-abc123\")");
            assertThat(log.warnings().get(1)).contains("'mail' was refused");
        }
    }

    @Test
    void whatHasNoLastingFormIsNoId() {
        assertThat(charge("  ", null).status()).isEqualTo(Status.NO_SESSION);
        assertThat(charge(new Object(), null).status()).isEqualTo(Status.NO_SESSION);
        assertThat(charge("\ud800", null).status()).isEqualTo(Status.NO_SESSION);
    }

    @Test
    void textsNumbersUuidsAndRecordsAreIds() {
        UUID uuid = UUID.randomUUID();
        for (Object id : new Object[] {"order-1", 7, uuid, new Conversation("ann", 1), "x".repeat(300), "two\nlines"}) {
            assertThat(charge(id, null).status()).as("%s", id).isEqualTo(Status.RAN);
        }
        assertThat(charge(new Conversation("ann", 1), null).status()).isEqualTo(Status.REPLAYED);
        assertThat(charge(new Conversation("ann", 2), null).status()).isEqualTo(Status.RAN);
        assertThat(charge("x".repeat(301), null).status()).isEqualTo(Status.RAN);
        assertThat(charge(uuid.toString(), null).status()).isEqualTo(Status.REPLAYED);
        assertThat(idem.ledger().as(Browsable.class).orElseThrow().browse(Query.all()).entries().stream()
                        .flatMap(entry -> Stream.ofNullable(entry.labels().get("id"))))
                .as("ids that can't be scopes can be found all the same")
                .containsExactlyInAnyOrder("x".repeat(255), "x".repeat(255), "two?lines");
    }

    @Test
    void aNewRunStartsItsCountersAnewAndReplays() {
        for (int run = 1; run <= 5; run++) {
            assertThat(charge("order-1", run).status()).isEqualTo(run == 1 ? Status.RAN : Status.REPLAYED);
        }
        charge("order-1", 5);
        charge("order-1", 5);
        assertThat(charge("order-1", 5).status()).isEqualTo(Status.STOPPED);
        assertThat(gate.session("order-1").report().calls()).isEqualTo(4);
        assertThat(runs).hasValue(1);
    }

    @Test
    void aMethodSeesTheFieldsOfItsSchemaThatHaveAValue() {
        String same = "{\"customer\":\"cus_1\",\"cents\":42}";
        assertThat(AdapterSessions.seenByMethod(charge, same)).isSameAs(same);
        assertThat(AdapterSessions.seenByMethod(charge, "{\"customer\":\"cus_1\",\"cents\":42,\"note\":1,\"x\":null}"))
                .isEqualTo(same);
        assertThat(AdapterSessions.seenByMethod(charge, "no json")).isEqualTo("no json");
        assertThat(AdapterSessions.seenByMethod(charge, null)).isNull();
    }
}
