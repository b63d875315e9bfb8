package dev.idem.clikit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import dev.idem.spi.browse.Query;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class OnceTest {
    private final Shop shop = new Shop();

    @Test
    void aCommandRunsOnceForItsKeyAndDuplicatesGetItsDataAsANoop() {
        Ran first = shop.run("create-order", "--amount", "100", "--idempotency-key", "k1");
        Ran second = shop.run("create-order", "--amount", "100", "--idempotency-key", "k1");

        assertThat(shop.world).containsExactly("order 100");
        assertThat(first.exit()).isZero();
        assertThat(first.effect()).isEqualTo("created");
        assertThat(first.meta().get("idempotency_hit")).isEqualTo(false);
        assertThat(second.exit()).isZero();
        assertThat(second.effect()).isEqualTo("noop");
        assertThat(second.meta().get("idempotency_hit")).isEqualTo(true);
        assertThat(second.meta().get("original_effect")).isEqualTo("created");
        assertThat(withoutEffect(second)).isEqualTo(withoutEffect(first)).containsEntry("amount", 100L);
    }

    @Test
    void aKeyUsedWithOtherArgumentsIsRefused() {
        shop.run("create-order", "--amount", "100", "--idempotency-key", "k1");
        Ran other = shop.run("create-order", "--amount", "101", "--idempotency-key", "k1");

        assertThat(other.exit()).isEqualTo(6);
        assertThat(other.error().get("code")).isEqualTo("CONFLICT");
        assertThat(other.error().get("retryable")).isEqualTo(false);
        assertThat(shop.world).containsExactly("order 100");
    }

    @Test
    void theFormOfTheArgumentsDoesNotMatter() {
        shop.run("create-order", "--amount", "100", "--idempotency-key", "k1");

        assertThat(shop.run("create-order", "--idempotency-key=k1", "--amount=0100")
                        .effect())
                .isEqualTo("noop");
        assertThat(shop.run("create-order", "--currency", "EUR", "--amount=100", "--idempotency-key=k1")
                        .effect())
                .isEqualTo("noop");
        assertThat(shop.run("create-order", "-v", "--amount=100", "--idempotency-key=k1")
                        .effect())
                .isEqualTo("noop");
        assertThat(shop.world).hasSize(1);
    }

    @Test
    void rewordedContentIsAWarning() {
        shop.run("create-order", "--amount", "100", "--note", "thanks", "--idempotency-key", "k1");
        Ran reworded = shop.run("create-order", "--amount", "100", "--note", "thank you", "--idempotency-key", "k1");

        assertThat(reworded.effect()).isEqualTo("noop");
        assertThat(reworded.warningCodes()).containsExactly("REWORDED");
    }

    @Test
    void withoutAKeyOneIsDerivedFromSessionCommandAndArguments() {
        Ran first = shop.run("create-order", "--amount", "100", "--session", "task-1");
        Ran retry = shop.run("create-order", "--amount", "100", "--session", "task-1");
        Ran other = shop.run("create-order", "--amount", "200", "--session", "task-1");
        shop.env.put("IDEM_SESSION", "task-2");
        Ran elsewhere = shop.run("create-order", "--amount", "100");

        assertThat(first.effect()).isEqualTo("created");
        assertThat((String) first.meta().get("idempotency_key")).startsWith("idem_");
        assertThat(retry.effect()).isEqualTo("noop");
        assertThat(other.effect()).isEqualTo("created");
        assertThat(elsewhere.effect()).isEqualTo("created");
        assertThat(shop.world).containsExactly("order 100", "order 200", "order 100");
    }

    @Test
    void tenantsNeverShareAnEntryWhereverASlashStands() {
        shop.settings = kit -> kit.scope("acme");
        Ran first = shop.run("create-order", "--amount", "100", "--session", "eu/7");
        shop.settings = kit -> kit.scope("acme/eu");
        Ran other = shop.run("create-order", "--amount", "100", "--session", "7");
        shop.settings = kit -> kit.scope("acme/eu/7");
        Ran guessed = shop.run("create-order", "--amount", "100", "--idempotency-key", (String)
                first.meta().get("idempotency_key"));

        assertThat(other.effect()).isEqualTo("created");
        assertThat(guessed.effect()).isEqualTo("created");
        assertThat(shop.world).hasSize(3);
    }

    @Test
    void aSessionOfAnyFormIsTakenAndCanBeFoundAgain() {
        String session = "Bestellung für Ann, " + "x".repeat(300);
        Ran first = shop.run("create-order", "--amount", "100", "--session", session);
        Ran retry = shop.run("create-order", "--amount", "100", "--session", session);

        assertThat(first.effect()).isEqualTo("created");
        assertThat(retry.effect()).isEqualTo("noop");
        assertThat(shop.ledger.browse(Query.all()).entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry.labels().get("session"))
                        .startsWith("Bestellung für Ann, xxx")
                        .hasSize(255));
    }

    @Test
    void theRunAroundTheProgramIsALabelOfItsEntries() {
        shop.env.put("IDEM_RUN_ID", "run_01KJMV00000000000000000000");
        shop.run("create-order", "--amount", "100", "--idempotency-key", "k1");

        assertThat(shop.ledger.browse(Query.all()).entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry.labels()).containsEntry("run", "run_01KJMV00000000000000000000"));
    }

    @Test
    void withoutKeyAndSessionNothingRunsAndTheFixIsALineThatWorks() {
        Ran refused = shop.run("create-order", "--amount", "100");

        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.error().get("code")).isEqualTo("KEY_REQUIRED");
        assertThat(shop.world).isEmpty();
        String fix = (String) refused.error().get("fix_command");
        assertThat(fix).startsWith("shop create-order --amount 100 --idempotency-key ");
        String[] words = fix.split(" ", -1);
        assertThat(shop.run(Arrays.copyOfRange(words, 1, words.length)).effect())
                .isEqualTo("created");
    }

    @Test
    void aCommandThatDemandsAKeyDerivesNone() {
        shop.env.put("IDEM_SESSION", "task-1");
        Ran refused = shop.run("delete-order", "1", "--confirm-destructive");

        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.error().get("code")).isEqualTo("KEY_REQUIRED");
        assertThat(refused.error()).doesNotContainKey("fix_command");
    }

    @Test
    void theTwoMeaningsOfNoopAreToldApart() {
        shop.run("deploy", "--version", "1.2.3", "--idempotency-key", "d1");
        Ran already = shop.run("deploy", "--version", "1.2.3", "--idempotency-key", "d2");
        Ran replayed = shop.run("deploy", "--version", "1.2.3", "--idempotency-key", "d1");

        assertThat(already.effect()).isEqualTo("noop");
        assertThat(already.data().get("reason")).isEqualTo("Already at version 1.2.3");
        assertThat(already.meta().get("idempotency_hit")).isEqualTo(false);
        assertThat(replayed.effect()).isEqualTo("noop");
        assertThat((String) replayed.data().get("reason")).startsWith("Replayed: ");
        assertThat(replayed.meta().get("idempotency_hit")).isEqualTo(true);
        assertThat(replayed.meta().get("original_effect")).isEqualTo("updated");
        assertThat(already.data().get("current_version"))
                .isEqualTo(replayed.data().get("current_version"));
    }

    @Test
    void theReplayOfANoopSaysWhatTheFirstSaid() {
        shop.world.add("version 1.2.3");
        shop.run("deploy", "--version", "1.2.3", "--idempotency-key", "d1");
        Ran replayed = shop.run("deploy", "--version", "1.2.3", "--idempotency-key", "d1");

        assertThat(replayed.meta().get("original_effect")).isEqualTo("noop");
        assertThat(replayed.meta().get("original_reason")).isEqualTo("Already at version 1.2.3");
    }

    @Test
    void whatDestroysNeedsToBeConfirmedAndSaysWhatItWouldTake() {
        shop.world.add("order 1");
        Ran refused = shop.run("delete-order", "1", "--idempotency-key", "k1");

        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.error().get("code")).isEqualTo("CONFIRMATION_REQUIRED");
        assertThat(refused.error().get("would_affect")).asInstanceOf(LIST).containsExactly("would delete order 1");
        assertThat(refused.error()).doesNotContainKey("fix_command");
        assertThat(shop.world).containsExactly("order 1");

        Ran deleted = shop.run("delete-order", "1", "--idempotency-key", "k1", "--confirm-destructive");
        assertThat(deleted.effect()).isEqualTo("deleted");
        assertThat(deleted.meta().get("confirmed")).isEqualTo(true);
        assertThat(shop.run("delete-order", "1", "--idempotency-key", "k1", "--confirm-destructive")
                        .effect())
                .isEqualTo("noop");
        assertThat(shop.world).containsExactly("order 1", "deleted 1");
    }

    @Test
    void commandsThatAreMethodsOrCallablesRunOnceToo() {
        Ran first = shop.run("ship", "parcel", "Ann", "--idempotency-key", "p1");
        Ran second = shop.run("ship", "parcel", "Ann", "--idempotency-key", "p1");

        assertThat(first.effect()).isEqualTo("updated");
        assertThat(first.data().get("value")).isEqualTo(1L);
        assertThat(first.meta().get("command")).isEqualTo("ship.parcel");
        assertThat(second.effect()).isEqualTo("noop");
        assertThat(second.data().get("value")).isEqualTo(1L);
        assertThat(shop.world).containsExactly("parcel Ann");
    }

    @Test
    void aReadNeedsNoKeyAndSeesTheWorldAsItIs() {
        assertThat(shop.run("stock").data().get("items")).asInstanceOf(LIST).isEmpty();
        shop.run("create-order", "--amount", "100", "--idempotency-key", "k1");

        Ran read = shop.run("stock");
        assertThat(read.effect()).isEqualTo("noop");
        assertThat(read.data().get("items")).asInstanceOf(LIST).containsExactly("order 100");
        assertThat(read.meta()).containsEntry("idempotency_hit", false);
    }

    @Test
    void aResultWithoutJsonFormIsDoneAllTheSame() {
        shop.act = call -> {
            shop.world.add("acted");
            return new Object();
        };
        Ran first = shop.run("act", "--idempotency-key", "k1");
        Ran second = shop.run("act", "--idempotency-key", "k1");

        assertThat(first.effect()).isEqualTo("created");
        assertThat(first.warningCodes()).contains("NO_JSON_FORM", "NOT_REPLAYABLE");
        assertThat(second.exit()).isZero();
        assertThat(second.effect()).isEqualTo("noop");
        assertThat(second.warningCodes()).containsExactly("NOT_REPLAYABLE");
        assertThat(shop.world).containsExactly("acted");
    }

    private static Map<String, Object> withoutEffect(Ran ran) {
        Map<String, Object> fields = new TreeMap<>(ran.data());
        fields.remove("effect");
        fields.remove("reason");
        return fields;
    }
}
