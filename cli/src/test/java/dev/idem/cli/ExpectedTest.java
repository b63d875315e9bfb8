package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.cli.InProcess.Ran;
import dev.idem.cli.around.Iso;
import dev.idem.cli.around.OutputStyle;
import dev.idem.cli.entry.Table;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people expect of a command line, and did not find here. */
class ExpectedTest {
    @TempDir
    Path folder;

    private InProcess shell;

    @BeforeEach
    void open() {
        shell = new InProcess(folder);
    }

    private List<Object> keys(Ran ran) {
        return ((List<?>) ran.data().get("entries"))
                .stream().<Object>map(entry -> ((Map<?, ?>) entry).get("key")).toList();
    }

    @Test
    void keysAreFoundByTheirForm() {
        for (String key : List.of("charge-ann-1", "charge-bob-1", "charge-ann-2", "x.charge-ann-3", "charge-ann-*")) {
            shell.idem("claim", key);
        }
        assertThat(keys(shell.idem("ls", "--key", "charge-ann-*", "--json")))
                .containsExactly("charge-ann-*", "charge-ann-2", "charge-ann-1");
        assertThat(keys(shell.idem("ls", "--key", "charge-???-1", "--json")))
                .containsExactly("charge-bob-1", "charge-ann-1");
        assertThat(keys(shell.idem("ls", "--key", "charge-bob-1", "--json"))).containsExactly("charge-bob-1");
        assertThat(keys(shell.idem("ls", "--key", "none-*", "--json"))).isEmpty();
    }

    @Test
    void pagesOfAFormLoseNothing() {
        for (int i = 0; i < 9; i++) {
            shell.idem("claim", (i % 2 == 0 ? "even-" : "odd-") + i);
        }
        List<Object> found = new ArrayList<>();
        Ran page = shell.idem("ls", "--key", "even-*", "--limit", "2", "--json");
        for (int turn = 0; turn < 9 && page.meta().containsKey("cursor"); turn++) {
            found.addAll(keys(page));
            String cursor = page.meta().get("cursor").toString();
            page = shell.idem("ls", "--key", "even-*", "--limit", "2", "--cursor", cursor, "--json");
        }
        found.addAll(keys(page));
        assertThat(found).containsExactly("even-8", "even-6", "even-4", "even-2", "even-0");
    }

    @Test
    void entriesAreFoundByDate() {
        shell.idem("claim", "k");
        LocalDate today = LocalDate.now(ZoneId.systemDefault());
        assertThat(keys(shell.idem("ls", "--newer-than", today.minusDays(1).toString(), "--json")))
                .containsExactly("k");
        assertThat(keys(shell.idem("ls", "--older-than", today.minusDays(1) + "T09:30", "--json")))
                .isEmpty();
        assertThat(keys(shell.idem("ls", "--newer-than", "2026-01-01 00:00:00", "--json")))
                .containsExactly("k");
        assertThat(keys(shell.idem("ls", "--older-than", "2026-01-01T00:00:00Z", "--json")))
                .isEmpty();
        assertThat(shell.idem("ls", "--newer-than", "3026-01-01").err()).contains("is in the future");
        assertThat(shell.idem("ls", "--newer-than", "2026-13-01").err()).contains("2026-11-15T09:30");
        assertThat(shell.idem("ls", "--newer-than", "yesterday").exit()).isEqualTo(2);
    }

    @Test
    void entriesAreFoundByTriesMessagePersonAndBeginningOfTheScope() {
        fails("a", "acme/1", "the bank is gone");
        fails("b", "acme/2", "no route");
        shell.idem("resolve", "b", "--scope", "acme/2", "--as", "failed", "--by", "ann", "--why", "seen");
        fails("b", "acme/2", "no route");
        fails("c", "other", "no route");
        shell.idem("resolve", "c", "--scope", "other", "--as", "failed", "--by", "bob", "--why", "seen");
        assertThat(listed("--tries", "2")).containsExactly("b");
        assertThat(listed("--message", "BANK is")).containsExactly("a");
        assertThat(listed("--message", "bank", "--key", "b*")).isEmpty();
        assertThat(listed("--by", "bob")).containsExactly("c");
        assertThat(listed("--by", "bob", "--tries", "2")).isEmpty();
        assertThat(listed("--scope", "acme/*")).containsExactly("b", "a");
        assertThat(listed("--tries", "1", "--limit", "2")).hasSize(2);
        assertThat(shell.idem("ls", "--tries", "0").exit()).isEqualTo(2);
        assertThat(shell.idem("ls", "--decided", "--tries", "2").exit()).isEqualTo(2);
        assertThat((List<?>) shell.idem("ls", "--decided", "--by", "bob", "--json")
                        .data()
                        .get("decisions"))
                .hasSize(1);
        assertThat((List<?>) shell.idem("ls", "--decided", "--by", "carl", "--json")
                        .data()
                        .get("decisions"))
                .isEmpty();
        String[] plan = {"resolve", "--as", "failed", "--scope", "acme/1", "--dry-run", "--json", "--message"};
        assertThat(keys(shell.idem(with(plan, "bank")))).containsExactly("a");
        assertThat(keys(shell.idem(with(plan, "route")))).isEmpty();
    }

    private void fails(String key, String scope, String says) {
        shell.idem("run", "--key", key, "--scope", scope, "--", "sh", "-c", "echo " + says + " >&2; exit 3");
    }

    private List<Object> listed(String... filter) {
        return keys(shell.idem(with(new String[] {"ls", "--json"}, filter)));
    }

    private static String[] with(String[] line, String... more) {
        return Stream.concat(Stream.of(line), Stream.of(more)).toArray(String[]::new);
    }

    @Test
    void aQuietReplaySaysNothingOfItself() {
        String[] line = {"run", "--key", "k", "--quiet", "--", "sh", "-c", "echo out; echo err >&2"};
        shell.idem(line);
        Ran replay = shell.idem(line);
        assertThat(replay.out()).isEqualTo("out\n");
        assertThat(replay.err()).isEqualTo("err\n");
        assertThat(shell.idem("run", "--key", "k", "--quiet", "--", "true").err())
                .contains("used for");
        shell.env.put("IDEM_QUIET", "1");
        assertThat(shell.idem("run", "--key", "k", "--", "sh", "-c", "echo out; echo err >&2")
                        .err())
                .isEqualTo("err\n");
    }

    @Test
    void curlThatCouldNotConnectHasFailedAndNothingIsInDoubt() throws IOException {
        Path curl = Files.writeString(folder.resolve("curl"), "#!/bin/sh\nexit $(cat " + folder + "/exit)\n");
        assertThat(curl.toFile().setExecutable(true)).isTrue();
        String[] line = {
            "run", "--key", "k", "--failed-exits", "curl", "--", curl.toString(), "-fsS", "http://shop.example/o"
        };
        for (int exit = 1; exit <= 7; exit++) {
            Files.writeString(folder.resolve("exit"), Integer.toString(exit));
            assertThat(shell.idem(line).exit()).isEqualTo(exit);
            assertThat(shell.idem("show", "k", "--json").data()).containsEntry("state", "failed");
        }
        for (int exit : new int[] {22, 28, 35, 52, 55, 56}) {
            Files.writeString(folder.resolve("exit"), Integer.toString(exit));
            shell.idem(line);
            assertThat(shell.idem("show", "k", "--json").data())
                    .as("exit %s", exit)
                    .containsEntry("state", "in_doubt");
            shell.idem("resolve", "k", "--as", "failed");
        }
    }

    @Test
    void aPresetThatWouldProveNothingIsRefusedBeforeAnythingRuns() throws IOException {
        String url = "https://shop.example/o";
        for (List<String> command : List.of(
                List.of("curl", "-fsSL", url),
                List.of("curl", "--location", url),
                List.of("curl", "--retry", "3", url),
                List.of("curl", "-K", "file", url),
                List.of("curl", url, url),
                List.of("curl", url + "/{a,b}"),
                List.of("curl", "-fsS"),
                List.of("curl", url, "shop.example/other"),
                List.of("curl", "HTTP://shop.example/other", url),
                List.of("curl", "ftp://shop.example/other", url),
                List.of("curl", "--url", url, url),
                List.of("curl", "--url", "@urls"),
                List.of("curl", "-sST", "{a,b}", url),
                List.of("curl", "-sST{a,b}", url),
                List.of("curl", "--unheard-of", "value", url),
                List.of("sh", "-c", "curl " + url))) {
            List<String> words = new ArrayList<>(List.of("run", "--key", "k", "--failed-exits", "curl", "--"));
            words.addAll(command);
            Ran ran = shell.idem(words.toArray(String[]::new));
            assertThat(ran.exit()).as("%s: %s", command, ran.err()).isEqualTo(2);
            assertThat(ran.err()).contains("list the exits that mean that nothing happened");
        }
        Files.writeString(folder.resolve(".curlrc"), "location\n");
        shell.env.put("HOME", folder.toString());
        Ran settings = shell.idem("run", "--key", "k", "--failed-exits", "curl", "--", "curl", "-fsS", url);
        assertThat(settings.err()).contains("write curl -q");
        assertThat(shell.idem("show", "k").exit()).isEqualTo(5);
        assertThat(shell.idem("run", "--key", "k", "--failed-exits", "ssh", "--", "ssh", "host")
                        .err())
                .contains("curl or wget");
    }

    @Test
    void theValuesOfCurlsOptionsAreNotTakenForUrls() throws IOException {
        Path curl = Files.writeString(folder.resolve("curl"), "#!/bin/sh\nexit 7\n");
        assertThat(curl.toFile().setExecutable(true)).isTrue();
        String line =
                "-q -sSX POST -d@order.json --data-raw a=http://a.example -H X:1 --header Y:2 -u ann:pw -o out -m 5 "
                        + "--cacert ca.pem -Tfile --url shop.example/o";
        List<String> words =
                new ArrayList<>(List.of("run", "--key", "k", "--failed-exits", "curl", "--", curl.toString()));
        words.addAll(List.of(line.split(" ")));
        Ran ran = shell.idem(words.toArray(String[]::new));
        assertThat(ran.exit()).as(ran.err()).isEqualTo(7);
        assertThat(shell.idem("show", "k", "--json").data()).containsEntry("state", "failed");
    }

    @Test
    void aListFitsSixtyColumns() {
        shell.idem("run", "--key", "charge-customer-4711-of-november", "--scope", "shop", "--", "true");
        shell.idem("run", "--key", "k".repeat(200), "--scope", "a-rather-long-name-of-a-scope", "--", "true");
        shell.env.put("COLUMNS", "60");
        for (OutputStyle style : List.of(new OutputStyle(true, true, false), new OutputStyle(true, true, true))) {
            shell.style = style;
            assertThat(shell.idem("ls").out().lines())
                    .allMatch(line -> line.replaceAll("\u001b\\[[0-9]*m", "").length() <= 60)
                    .anyMatch(line -> line.contains("charge-customer-4711"));
        }
        shell.style = OutputStyle.plain();
        assertThat(shell.idem("ls", "--text").out()).contains("k".repeat(200), "REPLAYS");
    }

    /** Labels took so much room that the list left out the operation, and a long key so much that it left out the time. */
    @Test
    void aListOfEightyColumnsHadNoTimeAndNothingAboutTheEntry() {
        String key = "idem_0123456789abcdef0123456789abcdef";
        shell.idem(
                "claim",
                key,
                "--operation",
                "charge",
                "--label",
                "customer=cus_1",
                "--label",
                "note=" + "x".repeat(60));
        for (int columns : new int[] {80, 120, 200}) {
            shell.env.put("COLUMNS", Integer.toString(columns));
            Ran ran = shell.idem("ls");
            assertThat(ran.out()).contains("OPERATION", "CLAIMED", "ABOUT", " ago");
            assertThat(ran.out().lines())
                    .allMatch(line -> line.length() <= columns)
                    .anyMatch(line -> line.contains("charge")
                            && line.contains(columns == 80 ? key.substring(0, 17) + "…" : key)
                            && line.contains("customer=cus_1"));
            assertThat(ran.err()).contains("idem why --operation charge " + key + "\n");
        }
        assertThat(shell.idem("ls").out()).contains("REPLAYS");
    }

    /** A cut key must still tell its entry from the others. */
    @Test
    void aListCutKeysUntilTheyLookedTheSame() {
        for (String customer : new String[] {"ann", "bob"}) {
            shell.idem(
                    "claim",
                    "charge-of-november-2026-" + customer + "-" + "x".repeat(40),
                    "--label",
                    "note=" + "n".repeat(60));
        }
        shell.env.put("COLUMNS", "80");
        assertThat(shell.idem("ls").out())
                .contains("charge-of-november-2026-a…", "charge-of-november-2026-b…", "ABOUT");
    }

    @Test
    void aListThatHadToLeaveOutAnAddressShowsTheCommandForIt() {
        shell.idem("claim", "k".repeat(100), "--operation", "charge", "--scope", "order-flow-abc123");
        shell.env.put("COLUMNS", "80");
        assertThat(shell.idem("ls").err())
                .contains("idem why --operation charge --scope order-flow-abc123 " + "k".repeat(100) + "\n");
        shell.style = OutputStyle.plain();
        assertThat(shell.idem("ls", "--text").err()).isEmpty();
    }

    @Test
    void anEmptyListNamesItsLedgerToPeople() {
        assertThat(shell.idem("ls").err())
                .contains("no such entry in the ledger test:", "--ledger URL or IDEM_LEDGER names another");
        shell.style = OutputStyle.plain();
        assertThat(shell.idem("ls", "--text").err()).isEmpty();
    }

    @Test
    void anUnknownRequestForApprovalNamesItsLedger() {
        assertThat(shell.idem("approve", "k").err())
                .contains("in the ledger test:", "--ledger URL or IDEM_LEDGER names another");
    }

    @Test
    void aTableLeavesOutWhatMattersLeast() {
        Table table = new Table("STATE", "KEY", "REPLAYS");
        table.row("complete", "order-42", "0");
        assertThat(table.fitting(80, "REPLAYS")).isEqualTo(table.text());
        assertThat(table.fitting(20, "REPLAYS")).isEqualTo("STATE     KEY\ncomplete  order-42\n");
        assertThat(table.fitting(12, "REPLAYS").lines()).hasSize(2);
    }

    @Test
    void theBarDoesNotWrapAtFortyColumns() {
        shell.style = new OutputStyle(true, true, false);
        for (int columns : new int[] {20, 40, 60, 200}) {
            shell.env.put("COLUMNS", Integer.toString(columns));
            shell.stdin = "one\ntwo\nbad\n".getBytes(StandardCharsets.UTF_8);
            String err = shell.idem("batch", "--key", "b" + columns, "--", "sh", "-c", "test \"$0\" != bad")
                    .err();
            String drawn = err.substring(0, err.indexOf("idem: "));
            for (String line : drawn.split("\r|\u001b\\[K", -1)) {
                assertThat(line.length()).as(line).isLessThan(columns);
            }
        }
    }

    @Test
    void timesAreLocalAndToTheSecond() {
        shell.idem("run", "--key", "k", "--", "true");
        String time = "20[0-9]{2}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}";
        assertThat(shell.idem("run", "--key", "k", "--", "true").err())
                .containsPattern("it first ran at " + time + " \\(attempt 1\\)");
        assertThat(shell.idem("show", "k").out()).containsPattern("first claim  " + time + "\n");
        assertThat(shell.idem("why", "k").out()).containsPattern(time).doesNotContainPattern("[0-9]T[0-9]");
        assertThat(Iso.local(Instant.EPOCH.plus(Duration.ofNanos(1)))).matches(time.replace("20", "19"));
    }

    /** After its retention a key ran again as if it had never run. */
    @Test
    void aKeyThatComesBackAfterItsRetentionSaysThatItHadRunBefore() {
        shell.idem("run", "--key", "k", "--ttl", "1h", "--", "echo", "first");
        shell.clocks.advance(Duration.ofMinutes(90));
        assertThat(keys(shell.idem("ls", "--state", "expired", "--json"))).containsExactly("k");

        Ran again = shell.idem("run", "--key", "k", "--ttl", "1h", "--", "echo", "first");
        assertThat(again.exit()).isZero();
        assertThat(again.out()).isEqualTo("first\n");
        assertThat(again.err()).contains("'k' had run before").contains("the command ran again");

        assertThat(shell.idem("run", "--key", "k", "--", "echo", "first").err()).contains("replay of 'k'");
    }

    @Test
    void aKeyThatComesBackAndEndsOtherwiseSaysSoToo() {
        for (String[] options : List.of(new String[] {}, new String[] {"--failed-exits", "3"})) {
            String key = "k" + options.length;
            String file = folder.resolve(key).toString();
            List<String> words = new ArrayList<>(List.of("run", "--key", key, "--ttl", "1h"));
            words.addAll(List.of(options));
            words.addAll(List.of("--", "sh", "-c", "[ ! -e " + file + " ] || exit 3; touch " + file));
            String[] line = words.toArray(String[]::new);
            assertThat(shell.idem(line).exit()).isZero();
            shell.clocks.advance(Duration.ofMinutes(90));
            Ran again = shell.idem(line);
            assertThat(again.exit()).isEqualTo(3);
            assertThat(again.err()).contains("'" + key + "' had run before");
        }
        // It did not run, so there is nothing to say about an earlier run.
        assertThat(shell.idem("run", "--key", "k0", "--ttl", "1h", "--", "true").err())
                .doesNotContain("had run before");
    }

    @Test
    void aDestructiveKeyWithATimeDoesNotRunAgainAfterIt() {
        String[] line = {"run", "--key", "k", "--side-effect", "destructive", "--ttl", "1h", "--", "echo", "gone"};
        assertThat(shell.idem(line).exit()).isZero();
        shell.clocks.advance(Duration.ofMinutes(90));
        Ran again = shell.idem(line);
        assertThat(again.exit()).isEqualTo(82);
        assertThat(again.out()).isEmpty();
    }

    @Test
    void aDestructiveKeyDoesNotRunAgainWhateverItIsCalledLater() {
        shell.idem("run", "--key", "k", "--side-effect", "destructive", "--", "echo", "gone");
        shell.clocks.advance(Duration.ofDays(8));
        assertThat(shell.idem("run", "--key", "k", "--", "echo", "gone").exit()).isEqualTo(82);
    }
}
