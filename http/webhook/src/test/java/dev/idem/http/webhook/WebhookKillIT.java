package dev.idem.http.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.State;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import dev.idem.testkit.ChildProcess;
import dev.idem.testkit.Thorough;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An endpoint whose process is killed −9 at each point, in both modes. */
@Timeout(120)
class WebhookKillIT {
    @TempDir
    Path folder;

    static Stream<String> pointsOfHandledFirst() {
        return Thorough.first(1, "settle", "handling", "settled");
    }

    @ParameterizedTest
    @MethodSource("pointsOfHandledFirst")
    void handledFirstTheSendersNextDeliveryEndsIt(String point) throws Exception {
        kill("first", point);

        try (Idem idem = open();
                WebhookEndpoint next = next(idem, false)) {
            assertThat(next.receive(WebhookMain.delivery()).status()).isEqualTo(200);
        }
        assertThat(effects()).containsExactly("mail evt_1");
    }

    static Stream<String> pointsOfRecordedFirst() {
        return Thorough.first(1, "settle", "answer", "handling", "settled");
    }

    @ParameterizedTest
    @MethodSource("pointsOfRecordedFirst")
    void recordedFirstTheNextProcessEndsItWithoutAnotherDelivery(String point) throws Exception {
        kill("later", point);

        try (Idem idem = open();
                WebhookEndpoint next = next(idem, true)) {
            Until.isTrue("handled and forgotten", () -> isHandled(idem) && count(idem, "inbox_recorded") == 0);
            assertThat(next.poisoned()).isEmpty();
        }
        assertThat(effects()).containsExactly("mail evt_1");
    }

    @Test
    void notYetRecordedTheSenderHasNoAnswerAndDeliversAgain() throws Exception {
        kill("later", "record");

        try (Idem idem = open();
                WebhookEndpoint next = next(idem, true)) {
            assertThat(next.receive(WebhookMain.delivery()).status()).isEqualTo(200);
            Until.isTrue("handled and forgotten", () -> isHandled(idem) && count(idem, "inbox_recorded") == 0);
        }
        assertThat(effects()).containsExactly("mail evt_1");
    }

    static Stream<Boolean> modes() {
        return Thorough.first(1, true, false);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void aStepKilledBetweenItsEffectAndItsRecordIsInDoubtAndNotDoneAgain(boolean later) throws Exception {
        kill(later ? "later" : "first", "sent");

        try (Idem idem = open();
                WebhookEndpoint next = next(idem, later)) {
            assertThat(next.receive(WebhookMain.delivery()).status()).isEqualTo(later ? 200 : 500);
            if (later) {
                Until.isTrue("given up", () -> next.poisoned().size() == 1);
            }
            assertThat(idem.find(new Address("stripe", "mail", "evt_1"))
                            .orElseThrow()
                            .state())
                    .isEqualTo(State.IN_DOUBT);
        }
        assertThat(effects()).containsExactly("mail evt_1");
    }

    private WebhookEndpoint next(Idem idem, boolean later) {
        return WebhookMain.endpoint(idem, folder.resolve("effects"), later, "nowhere");
    }

    private Idem open() {
        return Idem.builder().ledger(url()).quiet().open();
    }

    private static boolean isHandled(Idem idem) {
        return idem.find(new Address("inbox:stripe", "inbox_event", "evt_1"))
                .filter(entry -> entry.state() == State.COMPLETE)
                .isPresent();
    }

    private static int count(Idem idem, String operation) {
        return idem.ledger()
                .as(Browsable.class)
                .orElseThrow()
                .browse(Query.all().withOperation(operation))
                .entries()
                .size();
    }

    private void kill(String mode, String point) throws IOException {
        try (ChildProcess child = ChildProcess.start(
                WebhookMain.class, url(), folder.resolve("effects").toString(), mode, point)) {
            assertThat(child.line()).isEqualTo("at " + point);
            child.kill();
        }
    }

    private String url() {
        return "sqlite:" + folder.resolve("idem.db");
    }

    private List<String> effects() throws IOException {
        Path file = folder.resolve("effects");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }
}
