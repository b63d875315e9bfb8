package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Json;
import dev.idem.State;
import dev.idem.cli.InProcess.Ran;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.LedgerUrl;
import dev.idem.sqlite.SqliteLedgerProvider;
import dev.idem.testkit.FaultyLedger;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that look after a ledger as a whole. */
class UpkeepTest {
    @TempDir
    Path folder;

    private InProcess shell;

    @BeforeEach
    void open() {
        shell = new InProcess(folder);
    }

    @Test
    void statsCountTheDuplicatesThatWerePrevented() {
        for (int i = 0; i < 3; i++) {
            shell.idem("run", "--key", "k", "--", "true");
        }
        shell.idem("run", "--key", "d", "--", "false");
        Ran ran = shell.idem("stats", "--json");
        assertThat(ran.data()).containsEntry("duplicates_prevented", 2L).containsEntry("entries", 2L);
        assertThat(shell.idem("stats").out()).contains("in_doubt     1").contains("duplicates prevented: 2");
    }

    /** One row of a later version, or one that a person had edited, made ls, stats, export and watch fail as a whole. */
    @Test
    void oneEntryThatCanNotBeReadHidAllOthers() throws SQLException {
        Path file = folder.resolve("ledger.db");
        Ledger sqlite =
                new SqliteLedgerProvider().open(LedgerUrl.parse("sqlite:" + file), LedgerContext.ofHost(Host.system()));
        shell.handle = new FaultyLedger(sqlite);
        for (String key : new String[] {"first", "later", "last"}) {
            shell.idem("run", "--key", key, "--", "true");
        }
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("UPDATE entries SET document = '{\"v\":2}' WHERE key = 'later'");
        }
        Ran list = shell.idem("ls");
        assertThat(list.exit()).isZero();
        assertThat(list.out().lines()).hasSize(3);
        assertThat(list.err()).contains("warning: an entry is left out: the entry default/run/later can't be read");
        assertThat(shell.idem("ls", "--key", "l*").err()).contains("default/run/later can't be read");
        assertThat(shell.idem("ls", "--key", "f*").err()).doesNotContain("can't be read");
        assertThat(shell.idem("stats", "--json").data()).containsEntry("entries", 3L);
        Ran export = shell.idem("export", "--json");
        assertThat(export.exit()).as("a copy without an entry is not whole").isEqualTo(3);
        assertThat(export.data()).containsEntry("count", 2L);
        assertThat(export.error()).containsEntry("code", "UNREADABLE");
        sqlite.close();
    }

    @Test
    void theDoctorPointsAtWhatIsInDoubt() {
        assertThat(shell.idem("doctor").exit()).isZero();
        shell.idem("run", "--key", "d", "--", "false");
        Ran ran = shell.idem("doctor");
        assertThat(ran.exit()).isEqualTo(3);
        assertThat(ran.out()).contains("warning  in_doubt: 1 in doubt; see: idem ls --state in_doubt");
        shell.unreachable = true;
        Ran down = shell.idem("doctor");
        assertThat(down.exit()).isEqualTo(12);
        assertThat(down.out()).contains("warning  reachable: nobody answers");
    }

    @Test
    void purgeTakesWhatHasExpiredAndNothingElse() {
        shell.idem("run", "--key", "short", "--ttl", "1s", "--", "true");
        shell.idem("run", "--key", "long", "--", "true");
        shell.idem("run", "--key", "d", "--ttl", "1s", "--", "false");
        assertThat(shell.idem("purge", "--yes", "--json").data()).containsEntry("effect", "noop");
        assertThat(shell.idem("purge", "--dry-run", "--json").data())
                .containsEntry("effect", "noop")
                .containsEntry("would_purge", 0L);
        shell.clocks.advance(Duration.ofMinutes(1));
        assertThat(shell.idem("purge", "--dry-run", "--json").data())
                .containsEntry("effect", "would_delete")
                .containsEntry("would_purge", 1L);
        assertThat(shell.idem("purge").exit()).isEqualTo(2);
        assertThat(shell.idem("purge", "--yes", "--json").data())
                .containsEntry("effect", "deleted")
                .containsEntry("purged", 1L);
        assertThat(shell.idem("ls").out().lines()).hasSize(3);
    }

    @Test
    void whatIsExportedCanBeImportedElsewhere() throws IOException {
        shell.idem("run", "--key", "k", "--label", "customer=ann", "--", "sh", "-c", "echo out; echo err >&2");
        shell.idem("run", "--key", "d", "--", "false");
        String lines = shell.idem("export", "--with-results").out();
        assertThat(lines.lines())
                .hasSize(2)
                .allSatisfy(line -> assertThat(Json.parse(line)).isInstanceOf(Map.class));
        Files.writeString(folder.resolve("all.jsonl"), lines);

        InProcess other = new InProcess(folder);
        assertThat(other.idem("import", "all.jsonl", "--dry-run", "--json").data())
                .containsEntry("effect", "would_create")
                .containsEntry("imported", 2L);
        assertThat(other.idem("ls").out().lines()).hasSize(1);
        assertThat(other.idem("import", "all.jsonl", "--json").data()).containsEntry("imported", 2L);
        Ran replay = other.idem("run", "--key", "k", "--", "sh", "-c", "echo out; echo err >&2");
        assertThat(replay.out()).isEqualTo("out\n");
        assertThat(replay.err()).contains("replay of 'k'");
        assertThat(other.idem("run", "--key", "d", "--", "false").exit()).isEqualTo(81);
        assertThat(other.idem("ls", "--label", "customer=ann").out().lines()).hasSize(2);
        assertThat(other.idem("import", "all.jsonl", "--json").data())
                .containsEntry("effect", "noop")
                .containsEntry("already_there", 2L);
    }

    @Test
    void whatIsImportedAgainIsNoReplay() throws IOException {
        shell.idem("run", "--key", "k", "--", "true");
        Files.writeString(
                folder.resolve("all.jsonl"),
                shell.idem("export", "--with-results").out());

        assertThat(shell.idem("import", "all.jsonl", "--json").data()).containsEntry("already_there", 1L);
        assertThat(shell.idem("import", "all.jsonl", "--json").data()).containsEntry("already_there", 1L);

        assertThat(shell.ledger
                        .find(new Address("default", "run", "k"))
                        .orElseThrow()
                        .replays())
                .isZero();
    }

    @Test
    void whatIsImportedTellsWhenItRanAndWhatItDid() throws IOException {
        shell.idem("run", "--key", "k", "--", "echo", "out");
        String replay = shell.idem("run", "--key", "k", "--", "echo", "out").err();
        String lines = shell.idem("export", "--with-results").out().replace("\"created\"", "\"updated\"");
        for (int hours = 3; hours <= 6; hours += 3) {
            Files.writeString(folder.resolve("all.jsonl"), lines);
            InProcess other = new InProcess(folder);
            other.clocks.advance(Duration.ofHours(hours));

            other.idem("import", "all.jsonl");

            assertThat(other.idem("run", "--key", "k", "--", "echo", "out").err())
                    .isEqualTo(replay);
            lines = other.idem("export", "--with-results").out();
            assertThat(lines).contains("\"effect\":\"updated\"");
        }
    }

    @Test
    void anExportShowsNoResultsUnlessAsked() {
        shell.idem("run", "--key", "k", "--", "echo", "secret");
        assertThat(shell.idem("export").out()).contains("\"key\":\"k\"").doesNotContain("\"text\"");
    }

    @Test
    void aFileOfRequestStatesIsTakenOver() throws IOException {
        Files.writeString(folder.resolve("states.jsonl"), """
                {"id":"r1","state":"in_progress","ts":1767225600.5}
                {"id":"r1","state":"complete","result":{"n":1},"ts":1767225601.5}
                {"id":"r2","state":"failed","error":"no","ts":1767225601.5}
                {"id":"r3","state":"in_progress","ts":1767225601.5}
                {"id":"r4","sta""");
        Ran ran = shell.idem("import", "states.jsonl", "--ttl", "3650d", "--json");
        assertThat(ran.data()).containsEntry("imported", 3L);
        assertThat(ran.json().get("warnings").toString()).contains("TORN_LINE");
        assertThat(state("r1")).isEqualTo(State.COMPLETE);
        assertThat(shell.idem("show", "r1", "--operation", "request").out()).contains("2026-01-01T00:00:01.500Z/");
        assertThat(state("r2")).isEqualTo(State.IN_DOUBT);
        assertThat(state("r3")).isEqualTo(State.IN_DOUBT);
        assertThat(shell.idem("claim", "r1", "--operation", "request", "--json").data())
                .containsEntry("result", Map.of("n", 1L));
    }

    private State state(String id) {
        return shell.ledger
                .find(new Address("default", "request", id))
                .orElseThrow()
                .state();
    }

    @Test
    void theTablesArePrintedForSomebodyElse() {
        assertThat(shell.idem("migrate", "--print", "--ledger", "sqlite:x").out())
                .containsIgnoringCase("create table");
        assertThat(shell.idem("migrate", "--print", "--ledger", "postgresql://x/y", "--schema", "other")
                        .out())
                .contains("other");
        assertThat(shell.idem("migrate", "--print", "--ledger", "redis://x").exit())
                .isEqualTo(2);
    }

    @Test
    void everyCommandAndOptionIsCompleted() throws IOException, InterruptedException {
        assertThat(completed("idem", "run", "--side-effect", "")).isEqualTo("write idempotent destructive\n");
        assertThat(completed("idem", "sho")).isEqualTo("show\n");
        assertThat(completed("idem", "ls", "--st")).isEqualTo("--state\n");
        assertThat(completed("idem", "webh")).isEqualTo("webhook\n");
        assertThat(completed("idem", "webhook", "")).isEqualTo("sign send\n");
        assertThat(completed("idem", "webhook", "send", "str")).isEqualTo("stripe\n");
        assertThat(completed("idem", "webhook", "send", "--t")).isEqualTo("--to --times --timeout --type --text\n");
        assertThat(completed("idem", "webhook", "sign", "stripe", "--t")).isEqualTo("--type\n");
        assertThat(completed("idem", "mcp", "ru")).isEqualTo("rules\n");
        assertThat(completed("idem", "mcp", "install", "--host", "c")).isEqualTo("claude-desktop claude-code cursor\n");
        assertThat(completed("idem", "mcp", "install", "--un")).isEqualTo("--undo\n");
        assertThat(completed("idem", "mcp", "--na")).isEqualTo("--name\n");
        assertThat(completed("idem", "mcp", "--name", "x", "--tr")).isEqualTo("--trust-hints\n");
        assertThat(completed("idem", "mcp", "rules", "")).isEqualTo("--upstream --timeout --json --json-shape\n");
        assertThat(completed("idem", "mcp", "rules", "--json", "--ti")).isEqualTo("--timeout\n");
        assertThat(shell.idem("completion", "fish").out())
                .contains("-n '__fish_seen_subcommand_from webhook' -a sign")
                .doesNotContain("-a webhook sign");
        assertThat(shell.idem("completion", "fish").out()).contains("-l failed-exits");
        assertThat(shell.idem("completion", "zsh").out()).startsWith("#compdef idem");
        assertThat(shell.idem("completion", "odd").exit()).isEqualTo(2);
    }

    /** The words that bash offers at the end of this line. */
    private String completed(String... line) throws IOException, InterruptedException {
        Files.writeString(
                folder.resolve("c.bash"),
                shell.idem("completion", "bash").out() + "\nCOMP_WORDS=('" + String.join("' '", line)
                        + "'); COMP_CWORD=" + (line.length - 1) + "; _idem\necho \"${COMPREPLY[@]}\"\n");
        Process bash = new ProcessBuilder("bash", folder.resolve("c.bash").toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).as(said).isZero();
        return said;
    }

    @Test
    void watchTellsWhatChanges() {
        Ran ran = shell.idem("watch", "--for", "1ms", "--every", "1ms");
        assertThat(ran.exit()).isZero();
        assertThat(ran.out()).isEmpty();
    }
}
