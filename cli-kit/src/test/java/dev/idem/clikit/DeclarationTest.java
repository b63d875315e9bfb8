package dev.idem.clikit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Json;
import dev.idem.SideEffect;
import dev.idem.spi.Effect;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

class DeclarationTest {
    @Test
    void aCommandThatDeclaresNothingDoesNotStartAndTheMessageSaysWhatToWrite() {
        KitBuilder builder = Kit.of(new CommandLine(new Top()).addSubcommand(new Silent()));

        assertThatThrownBy(builder::build)
                .isInstanceOf(UndeclaredCommandException.class)
                .hasMessageContaining("the command 'silent'")
                .hasMessageContaining(Silent.class.getName())
                .hasMessageContaining("@Declares(SideEffect.READ)")
                .hasMessageContaining("@Declares(SideEffect.DESTRUCTIVE)");
    }

    @Test
    void aMethodThatDeclaresNothingDoesNotStart() {
        KitBuilder builder = Kit.of(new WithMethod());

        assertThatThrownBy(builder::build)
                .isInstanceOf(UndeclaredCommandException.class)
                .hasMessageContaining("the command 'quiet'");
    }

    @Test
    void anOptionOfTheKitsCantBeTheCommandsOwn() {
        KitBuilder builder = Kit.of(new CommandLine(new Top()).addSubcommand(new OwnDryRun()));

        assertThatThrownBy(builder::build)
                .isInstanceOf(UndeclaredCommandException.class)
                .hasMessageContaining("--dry-run");
    }

    @Test
    void twoCommandsThatWouldShareTheirEntriesDoNotStart() {
        CommandLine group = new CommandLine(new Group()).addSubcommand(named("ship"));
        KitBuilder dotted =
                Kit.of(new CommandLine(new Top()).addSubcommand(group).addSubcommand(named("order.ship")));
        KitBuilder namesake = Kit.of(named("act").addSubcommand(named("act")));

        assertThatThrownBy(dotted::build)
                .isInstanceOf(UndeclaredCommandException.class)
                .hasMessageContaining("'top order ship' and 'top order.ship'")
                .hasMessageContaining("Rename one");
        assertThatThrownBy(namesake::build).isInstanceOf(UndeclaredCommandException.class);
    }

    @Test
    void aReadHasNoEffect() {
        KitBuilder builder = Kit.of(new CommandLine(new Top()).addSubcommand(new ReadThatCreates()));

        assertThatThrownBy(builder::build).isInstanceOf(UndeclaredCommandException.class);
    }

    @Test
    void groupsAndPicoclisOwnCommandsNeedNoDeclaration() {
        CommandLine line = new CommandLine(new Top())
                .addSubcommand(new CommandLine.HelpCommand())
                .addSubcommand(new picocli.AutoComplete.GenerateCompletion());

        assertThat(Kit.of(line).build()).isNotNull();
    }

    @Test
    void theManifestListsEveryCommandWithItsDangerItsFlagsAndItsExitCodes() {
        Ran ran = new Shop().run("manifest");
        Schemas.requireManifest(Json.write(ran.data()));
        Map<String, Object> commands = Ran.object(ran.data().get("commands"));

        assertThat(commands)
                .containsOnlyKeys(
                        "act", "create-order", "delete-order", "deploy", "manifest", "ship", "ship.parcel", "stock");
        assertThat(danger(commands, "create-order")).isEqualTo("mutating");
        assertThat(danger(commands, "delete-order")).isEqualTo("destructive");
        assertThat(danger(commands, "stock")).isEqualTo("safe");
        assertThat(Ran.object(commands.get("stock"))).containsEntry("required_scopes", List.of("stock:read"));
        assertThat(Ran.object(commands.get("create-order")))
                .containsEntry("required_scopes", List.of())
                .containsEntry("option_placement", "any");
        Map<String, Object> flags =
                Ran.object(Ran.object(commands.get("create-order")).get("flags"));
        assertThat(Ran.object(flags.get("amount")))
                .containsEntry("type", "integer")
                .containsEntry("required", true);
        assertThat(Ran.object(flags.get("verbose"))).containsEntry("short", "v");
        assertThat(flags).containsKeys("idempotency-key", "session", "dry-run", "json", "json-shape");
        assertThat(Ran.object(Ran.object(commands.get("delete-order")).get("flags")))
                .containsKey("confirm-destructive")
                .doesNotContainKeys("wait", "session");
        assertThat(Ran.object(Ran.object(commands.get("deploy")).get("exit_codes")))
                .containsOnlyKeys("0", "1", "2", "3", "4", "5", "6", "7", "10", "12");
    }

    @Test
    void theManifestsTagChangesWithTheCommandsAlone() {
        Object tag = new Shop().run("manifest").data().get("etag");
        assertThat(new Shop().run("manifest").data())
                .containsOnlyKeys("schema_version", "framework_version", "etag", "commands");

        assertThat(new Shop().run("manifest").data().get("etag")).isEqualTo(tag);
    }

    private static Object danger(Map<String, Object> commands, String name) {
        return Ran.object(commands.get(name)).get("danger_level");
    }

    private static CommandLine named(String name) {
        return new CommandLine(new Act()).setCommandName(name);
    }

    @Command(name = "order")
    static final class Group {}

    @Command(name = "act")
    @Declares(SideEffect.WRITE)
    static final class Act implements Runnable {
        @Override
        public void run() {}
    }

    @Command(name = "top")
    static final class Top {}

    @Command(name = "silent")
    static final class Silent implements Callable<Integer> {
        @Override
        public Integer call() {
            return 0;
        }
    }

    @Command(name = "top")
    static final class WithMethod {
        @Command(name = "quiet")
        void quiet() {}
    }

    @Command(name = "own")
    @Declares(SideEffect.WRITE)
    static final class OwnDryRun implements Callable<Integer> {
        @Option(names = "--dry-run")
        boolean dryRun;

        @Override
        public Integer call() {
            return 0;
        }
    }

    @Command(name = "read")
    @Declares(value = SideEffect.READ, effect = Effect.CREATED)
    static final class ReadThatCreates implements Callable<Integer> {
        @Override
        public Integer call() {
            return 0;
        }
    }
}
