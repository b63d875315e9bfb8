package dev.idem.clikit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShapesTest {
    private final Shop shop = new Shop();

    @Test
    void flatHasTheEffectBesideTheData() {
        Map<String, Object> flat =
                flat(shop.run("create-order", "--amount", "100", "--idempotency-key", "k1", "--json-shape", "flat"));

        assertThat(flat).containsEntry("ok", true).containsEntry("effect", "created");
        assertThat(Ran.object(flat.get("data"))).containsEntry("amount", 100L).doesNotContainKey("effect");
    }

    @Test
    void flatHasReasonAndChangesBesideTheData() {
        shop.world.add("version 1.2.3");
        Map<String, Object> noop =
                flat(shop.run("deploy", "--version", "1.2.3", "--idempotency-key", "k1", "--json-shape=flat"));
        Map<String, Object> dry = flat(shop.run(
                "create-order", "--amount", "100", "--idempotency-key", "k2", "--dry-run", "--json-shape=flat"));

        assertThat(noop).containsEntry("reason", "Already at version 1.2.3");
        assertThat(dry).containsEntry("effect", "would_create").containsKey("changes");
    }

    @Test
    void flatErrors() {
        Map<String, Object> flat = flat(shop.run("create-order", "--json-shape", "flat"));

        assertThat(flat).containsEntry("ok", false);
        assertThat(Ran.object(flat.get("error"))).containsEntry("code", "USAGE");
    }

    @Test
    void peopleReadLines() {
        shop.settings = builder -> builder.terminal(true);
        Ran created = shop.run("create-order", "--amount", "100", "--idempotency-key", "k1");
        Ran wrong = shop.run("create-order", "--amount", "101", "--idempotency-key", "k1");

        assertThat(created.stdout()).isEqualTo("created\n  number: 1\n  amount: 100\n  currency: EUR\n");
        assertThat(shop.run("stock").stdout()).isEqualTo("  order 100\n");
        assertThat(wrong.stdout()).isEmpty();
        assertThat(wrong.stderr()).startsWith("shop: the key 'k1' was first used at ");
        assertThat(wrong.exit()).isEqualTo(6);
    }

    /** A message or a result from elsewhere could colour, move or overwrite what a person reads. */
    @Test
    void aTerminalGetsNoControlCharactersFromElsewhere() {
        shop.settings = builder -> builder.terminal(true);
        shop.act = call -> Map.of("name", "Ann\u001b[2J");
        assertThat(shop.run("act", "--idempotency-key", "k1").stdout()).contains("name: Ann\\u001b[2J");
        shop.act = call -> {
            throw Refusal.notFound("NO_ORDER", "no order \u001b[31m7");
        };
        assertThat(shop.run("act", "--idempotency-key", "k2").stderr()).contains("no order \\u001b[31m7");
    }

    @Test
    void peopleMayAskForJson() {
        shop.settings = builder -> builder.terminal(true);

        assertThat(shop.run("create-order", "--amount", "100", "--idempotency-key", "k1", "--json")
                        .effect())
                .isEqualTo("created");
        assertThat(shop.run("create-order", "--json").error().get("code")).isEqualTo("USAGE");
    }

    @Test
    void everyCommandHasHelp() {
        for (String line : new String[] {"create-order", "delete-order", "stock", "ship", "ship parcel", "manifest"}) {
            String[] words = (line + " --help").split(" ", -1);
            Ran help = shop.run(words);
            assertThat(help.exit()).as(line).isZero();
            assertThat(help.stdout()).as(line).contains("Usage: shop " + line);
        }
        assertThat(shop.world).isEmpty();
    }

    @Test
    void withoutACommandItIsTheHelp() {
        Ran help = shop.run();
        assertThat(help.exit()).isZero();
        assertThat(help.stdout()).contains("create-order");
    }

    @Test
    void optionsOfTheKitMayStandBeforeTheCommand() {
        String[] line = {"--idempotency-key", "k1", "--json", "ship", "parcel", "Ann"};
        assertThat(shop.run(line).effect()).isEqualTo("updated");
        assertThat(shop.run("ship", "parcel", "Ann", "--idempotency-key=k1").effect())
                .isEqualTo("noop");
        assertThat(shop.run("--idempotency-key", "k1").exit()).isEqualTo(2);
        assertThat(shop.world).hasSize(1);
    }

    @Test
    void helpIsTextUnlessJsonIsAskedFor() {
        Ran help = shop.run("create-order", "--help");

        assertThat(help.exit()).isZero();
        assertThat(help.stdout()).contains("--amount", "--idempotency-key", "--dry-run");
        assertThat((String) shop.run("create-order", "--help", "--json").data().get("text"))
                .contains("--amount");
        assertThat(shop.run("--version").stdout()).isEqualTo("shop 1\n");
    }

    @Test
    void fieldsOfTheResultThatAreNamedLikeTheKitsAreHiddenAndThatIsSaid() {
        shop.act = call -> Map.of("effect", "boom", "id", 1);
        Ran ran = shop.run("act", "--idempotency-key", "k1");

        assertThat(ran.effect()).isEqualTo("created");
        assertThat(ran.data().get("id")).isEqualTo(1L);
        assertThat(ran.warningCodes()).containsExactly("FIELD_HIDDEN");
    }

    @Test
    void theSchemaRefusesWhatIsNoEnvelope() {
        String valid = shop.run("stock").stdout();
        assertThat(Schemas.errors("envelope", valid)).isEmpty();

        assertThat(Schemas.errors("envelope", valid.replace("\"warnings\":[]", "\"warnings\":[\"old\"]")))
                .isNotEmpty();
        assertThat(Schemas.errors("envelope", valid.replace("\"ok\":true", "\"ok\":false")))
                .isNotEmpty();
        assertThat(Schemas.errors("envelope", valid.replace("\"noop\"", "\"did_it\"")))
                .isNotEmpty();
        assertThat(Schemas.errors("envelope", valid.replace("\"exit_code\":0", "\"exit_code\":3")))
                .isNotEmpty();
    }

    private static Map<String, Object> flat(Ran ran) {
        Schemas.requireFlat(ran.stdout());
        assertThat(ran.stdout().lines()).hasSize(1);
        return Ran.object(Json.parse(ran.stdout()));
    }
}
