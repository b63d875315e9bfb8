package dev.idem.examples.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.agent.shadow.AuditLine;
import dev.idem.examples.agents.ModelServer.Conversation;
import dev.idem.examples.agents.ModelServer.Reply;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RehearsalTest {
    private final FlakyPayments payments = new FlakyPayments();
    private final Idem idem = Idem.open("memory:");

    @AfterEach
    void close() {
        idem.close();
    }

    /** Looks the customer up, charges what the prompt says, and is done. */
    private static Reply model(Conversation said) {
        return switch (said.results()) {
            case 0 -> Reply.calls("find_customer", Map.of("name", "Ann"));
            case 1 ->
                Reply.calls(
                        "charge",
                        Map.of("customer", "cus_1", "cents", said.prompt().contains("discount") ? 3900 : 4200));
            default -> Reply.says("done");
        };
    }

    @Test
    void itReadsAndWritesDownWhatItWouldHaveDone() throws Exception {
        try (ModelServer model = new ModelServer(RehearsalTest::model)) {
            assertThat(new Rehearsal(model.client(), idem, payments).rehearse("rehearsal-1", "Charge Ann"))
                    .extracting(AuditLine::tool)
                    .containsExactly("charge");
        }
        assertThat(payments.asked()).isEmpty();
    }

    @Test
    void twoRehearsalsAreCompared() throws Exception {
        try (ModelServer model = new ModelServer(RehearsalTest::model)) {
            Rehearsal rehearsal = new Rehearsal(model.client(), idem, payments);

            assertThat(rehearsal.compare("Charge Ann", "Charge Ann, with a discount"))
                    .hasToString("~ charge: cents 4200 → 3900");
        }
        assertThat(payments.asked()).isEmpty();
    }
}
