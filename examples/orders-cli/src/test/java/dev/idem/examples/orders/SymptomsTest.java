package dev.idem.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import dev.idem.Json;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The symptoms of agents that retry, played again: each thing happens once. */
class SymptomsTest {
    private static final String[] EMAIL = {
        "send-email", "--to", "user@example.com", "--subject", "Welcome", "--idempotency-key", "mail-1"
    };
    private static final String[] ORDER = {"create-order", "--amount", "100", "--idempotency-key", "order-1"};
    private static final String[] COUNTER = {"increment-counter", "--key", "views", "--idempotency-key", "count-1"};

    @TempDir
    Path home;

    @Test
    void aTimeOutAfterSendingLeavesOneEmail() {
        Said lost = run("timeout-after", EMAIL);
        Said retry = run("", EMAIL);

        assertThat(lost.exit()).isEqualTo(10);
        assertThat(lost.error()).containsEntry("code", "TIMEOUT").containsEntry("retryable", false);
        assertThat(retry.exit()).isEqualTo(3);
        assertThat(retry.error()).containsEntry("code", "IN_DOUBT");
        assertThat(shown("emails")).hasSize(1);
    }

    @Test
    void a503ThatDidNothingIsRetriedAndLeavesOneOrder() {
        Said refused = run("503", ORDER);
        Said retry = run("", ORDER);
        Said again = run("", ORDER);

        assertThat(refused.exit()).isEqualTo(12);
        assertThat(refused.error()).containsEntry("retryable", true);
        assertThat(retry.data()).containsEntry("effect", "created");
        assertThat(again.data()).containsEntry("effect", "noop");
        assertThat(shown("orders")).hasSize(1);
    }

    @Test
    void a503ThatHidesAnOrderIsProbedAndLeavesOneOrder() {
        Said hidden = run("503-after", ORDER);
        Said retry = run("", ORDER);

        assertThat(hidden.exit()).isEqualTo(3);
        assertThat(retry.exit()).isZero();
        assertThat(retry.data())
                .containsEntry("effect", "noop")
                .containsEntry("id", 1L)
                .containsEntry("amount", 100L);
        assertThat(shown("orders")).hasSize(1);
    }

    @Test
    void threeRetriesOverAFlakyNetworkCountOne() {
        assertThat(run("", COUNTER).data()).containsEntry("effect", "updated").containsEntry("value", 1L);
        for (int retry = 0; retry < 3; retry++) {
            assertThat(run("timeout-after", COUNTER).data())
                    .containsEntry("effect", "noop")
                    .containsEntry("value", 1L);
        }

        assertThat(shown("counters")).first().asInstanceOf(MAP).containsEntry("value", 1L);
    }

    @Test
    void threeRetriesAfterALostAnswerCountOne() {
        assertThat(run("timeout-after", COUNTER).exit()).isEqualTo(10);
        for (int retry = 0; retry < 3; retry++) {
            assertThat(run("", COUNTER).exit()).isEqualTo(3);
        }

        assertThat(shown("counters")).first().asInstanceOf(MAP).containsEntry("value", 1L);
    }

    @Test
    void aDeploymentThatWasAlreadyThereIsToldFromOneThatWasMade() {
        Said made = run("", "deploy", "--version", "1.2.3", "--idempotency-key", "d-1");
        Said there = run("", "deploy", "--version", "1.2.3", "--idempotency-key", "d-2");
        Said dry = run("", "deploy", "--version", "1.2.4", "--idempotency-key", "d-3", "--dry-run");

        assertThat(made.data()).containsEntry("effect", "updated");
        assertThat(there.data())
                .containsEntry("effect", "noop")
                .containsEntry("reason", "Already at version 1.2.3")
                .containsEntry("current_version", "1.2.3");
        assertThat(dry.data().get("changes"))
                .asInstanceOf(LIST)
                .containsExactly("would update service to 1.2.4", "would restart 2 instances");
    }

    @Test
    void anOrderIsDeletedOnceAndOnlyWhenConfirmed() {
        run("", ORDER);
        Said unconfirmed = run("", "delete-order", "--id", "1", "--idempotency-key", "x-1");
        Said deleted = run("", "delete-order", "--id", "1", "--idempotency-key", "x-1", "--confirm-destructive");
        Said again = run("", "delete-order", "--id", "1", "--idempotency-key", "x-1", "--confirm-destructive");
        Said gone = run("", "delete-order", "--id", "1", "--idempotency-key", "x-2", "--confirm-destructive");

        assertThat(unconfirmed.exit()).isEqualTo(2);
        assertThat(unconfirmed.error().get("would_affect"))
                .asInstanceOf(LIST)
                .containsExactly("would delete order 1 over 100");
        assertThat(deleted.data()).containsEntry("effect", "deleted");
        assertThat(again.data()).containsEntry("effect", "noop");
        assertThat(gone.exit()).isEqualTo(5);
        assertThat(shown("orders")).isEmpty();
    }

    @Test
    void aTaskNeedsNoKeysOfItsOwn() {
        for (int retry = 0; retry < 3; retry++) {
            run("", "create-order", "--amount", "100", "--session", "task-7");
        }

        assertThat(shown("orders")).hasSize(1);
    }

    private List<Object> shown(String table) {
        return List.copyOf((List<?>) run("", "show").data().get(table));
    }

    /** A call as a process of its own would make it: nothing is shared but the files. */
    private Said run(String fault, String... args) {
        Map<String, String> env = new HashMap<>(Map.of("ORDERS_HOME", home.toString(), "ORDERS_FAULT", fault));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int exit = Orders.kit(env).terminal(false).out(out).build().run(args);
        String json = out.toString(StandardCharsets.UTF_8);
        Schemas.require("envelope", json);
        return new Said(exit, object(Json.parse(json)));
    }

    @SuppressWarnings("unchecked") // the names of a JSON object are strings
    private static Map<String, Object> object(Object json) {
        return (Map<String, Object>) json;
    }

    private record Said(int exit, Map<String, Object> envelope) {
        Map<String, Object> data() {
            return object(envelope.get("data"));
        }

        Map<String, Object> error() {
            return object(envelope.get("error"));
        }
    }
}
