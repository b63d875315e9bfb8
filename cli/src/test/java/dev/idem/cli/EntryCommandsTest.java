package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.cli.InProcess.Ran;
import dev.idem.spi.AttemptId;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.testkit.FaultyLedger;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EntryCommandsTest {
    @TempDir
    Path folder;

    private InProcess shell;

    @BeforeEach
    void open() {
        shell = new InProcess(folder);
    }

    private void leaveInDoubt() {
        shell.idem("run", "--key", "k", "--", "sh", "-c", "echo sec''ret; exit 3");
    }

    private void leaveInFlight() {
        shell.ledger.claim(ClaimRequest.of(
                new AttemptId(1, 2), new Address("default", "run", "f"), Fingerprints.NONE, shell.host.self()));
    }

    @Test
    void showTellsWhatIsKnownAndOfTheOutputOnlyTheEndOfADoubt() {
        leaveInDoubt();
        Ran shown = shell.idem("show", "k");
        assertThat(shown.exit()).isZero();
        assertThat(shown.out())
                .contains("state        in_doubt")
                .contains("the command ended with exit 3")
                .contains("mark         started, pid ")
                .contains("stdout: secret");
        shell.idem("run", "--key", "done", "--no-keep-command", "--", "echo", "secret");
        assertThat(shell.idem("show", "done").out())
                .contains("exit 0, stdout 7 bytes, stderr 0 bytes")
                .doesNotContain("secret");
        assertThat(shell.idem("show", "done", "--json").data()).containsEntry("state", "complete");
    }

    @Test
    void anAbsentEntryIsExitFive() {
        for (String command : new String[] {"show k", "why k", "forget k --yes"}) {
            Ran ran = shell.idem(command.split(" ", -1));
            assertThat(ran.exit()).isEqualTo(5);
            assertThat(ran.err())
                    .contains("there is no entry default/run/k in the ledger test:")
                    .contains("--ledger URL or IDEM_LEDGER names another");
        }
        assertThat(shell.idem("resolve", "k", "--as", "failed").exit()).isEqualTo(5);
    }

    @Test
    void theBeginningOfADerivedKeyWasNotFound() {
        String begin = "idem_c4f0526e";
        String key = begin + "0000000000000000000000aa";
        shell.idem("run", "--key", key, "--", "sh", "-c", "exit 3");
        assertThat(shell.idem("why", begin).out()).contains(key);
        assertThat(shell.idem("show", begin).out()).contains(key);
        assertThat(shell.idem("forget", begin, "--yes").exit()).isEqualTo(5);
        assertThat(shell.idem("resolve", begin, "--as", "failed").exit()).isZero();

        shell.idem("run", "--key", begin + "0000000000000000000000ab", "--", "sh", "-c", "exit 3");
        assertThat(shell.idem("why", begin).exit()).as("two begin so").isEqualTo(5);
        shell.idem("run", "--key", "order-12", "--", "sh", "-c", "exit 3");
        assertThat(shell.idem("resolve", "order-1", "--as", "failed").exit())
                .as("another order")
                .isEqualTo(5);
    }

    @Test
    void anAbsentEntrySaysHowToLook() {
        assertThat(shell.idem("show", "k").err()).contains("what there is: idem ls --scope default");
        assertThat(shell.idem("show", "k", "--json").error()).containsEntry("fix_command", "idem ls --scope default");
    }

    @Test
    void aKeyThatIsUnderAnotherOperationOrScopeIsPointedAt() {
        shell.idem("claim", "order-7");
        for (String command : new String[] {"forget --yes", "resolve --as failed"}) {
            Ran ran = shell.idem((command + " order-7").split(" ", -1));
            assertThat(ran.exit()).isEqualTo(5);
            assertThat(ran.err())
                    .contains("there is no entry default/run/order-7 in the ledger test:")
                    .contains("; there is default/call/order-7: add --operation call")
                    .contains("look at it: idem show --operation call order-7");
        }
        shell.idem("run", "--key", "k", "--scope", "the shop", "--", "true");
        Ran json = shell.idem("forget", "k", "--yes", "--json");
        assertThat(json.error())
                .containsEntry("suggestion", "there is the shop/run/k: add --scope 'the shop'")
                .containsEntry("fix_command", "idem show --scope 'the shop' k");
        assertThat(shell.idem("show", "--scope", "the shop", "k").exit()).isZero();
    }

    /** The only entry with the key was not opened, although the command knew where it is. */
    @Test
    void theOnlyEntryWithAKeyHadToBeAskedForTwice() {
        shell.idem("run", "--key", "k", "--scope", "the shop", "--", "false");
        Ran why = shell.idem("why", "k");
        assertThat(why.exit()).isZero();
        assertThat(why.err()).contains("found the shop/run/k");
        assertThat(why.out()).contains("Now: it is in doubt", "idem resolve k --as failed --scope 'the shop'");
        assertThat(shell.idem("show", "k", "--json").data()).containsEntry("scope", "the shop");
        assertThat(shell.idem("why", "k", "--scope", "default").exit())
                .as("the line says where")
                .isEqualTo(5);
        assertThat(shell.idem("forget", "k", "--yes").exit())
                .as("what removes must be told which")
                .isEqualTo(5);
        shell.idem("claim", "k", "--scope", "elsewhere");
        Ran two = shell.idem("why", "k");
        assertThat(two.exit()).isEqualTo(5);
        assertThat(two.err()).contains("there is elsewhere/call/k", "there is the shop/run/k");
    }

    /** The recorded result of an entry could be seen only by a duplicate of its call. */
    @Test
    void theResultOfAnEntryCouldNotBeSeen() {
        shell.idem("run", "--key", "k", "--no-keep-command", "--", "sh", "-c", "echo out; printf '\\033[2Jerr' >&2");
        assertThat(shell.idem("show", "k").out()).doesNotContain("stdout:");
        assertThat(shell.idem("show", "k", "--result").out())
                .contains("stdout:\nout\n")
                .contains("[2Jerr")
                .doesNotContain("\u001b");
        assertThat(shell.idem("show", "k", "--with-result", "--json").data())
                .containsEntry("stdout", "out\n")
                .containsEntry("exit_code", 0L);
        Object fence = shell.idem("claim", "j", "--json").data().get("fence");
        shell.idem("settle", "j", "--fence", String.valueOf(fence), "--as", "complete", "--result", "{\"id\":7}");
        String[] json = {"show", "j", "--operation", "call", "--result", "--json"};
        assertThat(shell.idem(json).data()).containsEntry("result", Map.of("id", 7L));
        assertThat(shell.idem("show", "j", "--operation", "call", "--result").out())
                .endsWith("\n{\"id\":7}\n");
        leaveInFlight();
        assertThat(shell.idem("show", "f", "--result").err()).contains("it has no result");
    }

    /** Forty entries in doubt after an outage had to be resolved one by one. */
    @Test
    void entriesInDoubtHadToBeResolvedOneByOne() throws IOException {
        for (String key : new String[] {"a1", "a2", "a3", "b1"}) {
            shell.idem("run", "--key", key, "--", "false");
        }
        Ran dry = shell.idem("resolve", "--as", "failed", "--key", "a*", "--dry-run", "--json");
        assertThat(dry.data()).containsEntry("effect", "would_update");
        Path plan = folder.resolve("plan.json");
        Files.write(plan, dry.stdout());
        assertThat(shell.idem("ls", "--state", "in_doubt").out().lines()).hasSize(5);

        shell.idem("resolve", "a2", "--as", "complete");
        shell.idem("resolve", "a3", "--as", "failed");
        shell.idem("run", "--key", "a3", "--", "false");
        shell.idem("run", "--key", "a4", "--", "false");
        String[] resolve = {"resolve", "--as", "failed", "--plan", "plan.json", "--by", "ann", "--json"};
        Ran ran = shell.idem(resolve);
        assertThat(ran.exit()).as("two have changed since").isEqualTo(3);
        assertThat((List<?>) ran.data().get("resolved")).hasSize(1);
        assertThat((List<?>) ran.data().get("changed")).hasSize(2);
        assertThat(shell.idem("show", "a1", "--json").data()).containsEntry("state", "failed");
        assertThat(shell.idem("show", "a2", "--json").data()).containsEntry("state", "complete");
        for (String other : new String[] {"a3", "a4", "b1"}) {
            assertThat(shell.idem("show", other, "--json").data()).containsEntry("state", "in_doubt");
        }
        assertThat((List<?>) shell.idem(resolve).data().get("already"))
                .as("the same call again changes nothing")
                .hasSize(1);
    }

    @Test
    void severalEntriesAreNotResolvedWithoutAPlan() throws IOException {
        leaveInDoubt();
        Ran unplanned = shell.idem("resolve", "--as", "failed", "--state", "in_doubt");
        assertThat(unplanned.exit()).isEqualTo(2);
        assertThat(unplanned.err()).contains("--dry-run", "--plan");
        assertThat(shell.idem("resolve", "k", "--as", "failed", "--state", "in_doubt")
                        .exit())
                .isEqualTo(2);
        Files.writeString(folder.resolve("plan.json"), "{}");
        assertThat(shell.idem("resolve", "--as", "failed", "--plan", "plan.json")
                        .err())
                .contains("is not the JSON of a dry run");
        assertThat(shell.idem("resolve", "--as", "complete", "--result", "1", "--dry-run")
                        .exit())
                .isEqualTo(2);
        assertThat(shell.idem("show", "k", "--json").data()).containsEntry("state", "in_doubt");
    }

    @Test
    void resolvedAsFailedItRunsAgain() {
        leaveInDoubt();
        assertThat(shell.idem("resolve", "k", "--as", "failed").out()).contains("its key may run again");
        Ran again = shell.idem("run", "--key", "k", "--", "sh", "-c", "echo sec''ret; exit 3");
        assertThat(again.exit()).isEqualTo(3);
        assertThat(again.out()).isEqualTo("secret\n");
    }

    @Test
    void resolvedAsCompleteItIsReplayedWithoutOutput() {
        leaveInDoubt();
        Ran resolved = shell.idem("resolve", "k", "--as", "complete", "--json");
        assertThat(resolved.data()).containsEntry("effect", "updated").containsEntry("state", "complete");
        Ran again = shell.idem("run", "--key", "k", "--", "sh", "-c", "echo sec''ret; exit 3");
        assertThat(again.exit()).isZero();
        assertThat(again.out()).isEmpty();
        assertThat(again.err()).contains("resolved by hand");
        assertThat(shell.idem("resolve", "k", "--as", "complete", "--json").data())
                .containsEntry("effect", "noop");
        assertThat(shell.idem("resolve", "k", "--as", "failed").exit()).isEqualTo(6);
    }

    @Test
    void forgottenItRunsAgainWithAHigherFence() {
        String[] line = {"run", "--key", "k", "--", "sh", "-c", "echo $IDEM_FENCE"};
        assertThat(shell.idem(line).out()).isEqualTo("1\n");
        assertThat(shell.idem("forget", "k", "--dry-run", "--json").data()).containsEntry("effect", "would_delete");
        assertThat(shell.idem(line).out()).isEqualTo("1\n");
        assertThat(shell.idem("forget", "k", "--yes", "--json").data()).containsEntry("effect", "deleted");
        assertThat(shell.idem(line).out()).isEqualTo("2\n");
    }

    @Test
    void whatIsInFlightIsLeftAlone() {
        leaveInFlight();
        assertThat(shell.idem("forget", "f", "--yes").exit()).isEqualTo(4);
        Ran ran = shell.idem("resolve", "f", "--as", "failed", "--json");
        assertThat(ran.exit()).isEqualTo(4);
        assertThat(ran.error()).containsEntry("code", "IN_FLIGHT").containsEntry("retryable", true);
    }

    @Test
    void runIsRefusedWhileAnotherRunsIt() {
        leaveInFlight();
        Ran ran = shell.idem("run", "--key", "f", "--wait", "0", "--", "true");
        assertThat(ran.exit()).isEqualTo(80);
        assertThat(ran.err()).contains("is in flight").containsPattern("Its lease runs for another (29|30) s");
        Ran json = shell.idem("run", "--key", "f", "--wait", "0", "--json", "--", "true");
        assertThat(json.error()).containsEntry("retryable", true).containsKey("retry_after_ms");
        assertThat(shell.idem("run", "--key", "f", "--dry-run", "--", "true").exit())
                .isEqualTo(80);
    }

    @Test
    void listsTheNewestFirstAndByState() {
        leaveInDoubt();
        shell.idem("run", "--key", "a", "--scope", "other", "--", "true");
        assertThat(shell.idem("ls").out().lines().skip(1).map(line -> line.split(" +", -1)[3]))
                .containsExactly("a", "k");
        assertThat(shell.idem("ls", "--state", "in_doubt").out().lines()).hasSize(2);
        assertThat(shell.idem("ls", "--scope", "other").out()).contains(" a ");
        assertThat(shell.idem("ls", "--limit", "1").err()).contains("there are more");
    }

    @Test
    void withoutTheLedgerTheyAreExitTwelve() {
        shell.handle.down();
        assertThat(shell.idem("show", "k").exit()).isEqualTo(12);
        assertThat(shell.idem("forget", "k", "--yes").exit()).isEqualTo(12);
    }

    @Test
    void helpAndVersionAreOnStdout() {
        assertThat(shell.idem("help").out()).contains("idem run --key K [options] -- COMMAND");
        assertThat(shell.idem("help", "run").out()).contains("--failed-exits LIST");
        assertThat(shell.idem("run", "--help").out())
                .isEqualTo(shell.idem("help", "run").out());
        assertThat(shell.idem("--version").out()).startsWith("idem ");
    }

    @Test
    void forgettingWantsToBeConfirmed() {
        shell.idem("run", "--key", "k", "--", "true");
        Ran ran = shell.idem("forget", "k");
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err()).contains("add --yes to confirm");
        assertThat(shell.idem("show", "k").exit()).isZero();
    }

    @Test
    void whyTellsTheStoryAndTheWaysOn() {
        leaveInDoubt();
        Ran doubt = shell.idem("why", "k");
        assertThat(doubt.out())
                .contains("claimed")
                .contains("Now: it is in doubt since ")
                .contains("the command ended with exit 3")
                .contains("You can: if it did happen: idem resolve k --as complete")
                .doesNotContain("secret");
        shell.idem("run", "--key", "done", "--", "sh", "-c", "echo sec''ret");
        shell.idem("run", "--key", "done", "--", "sh", "-c", "echo sec''ret");
        assertThat(shell.idem("why", "done").out())
                .contains("Now: it is complete since ")
                .contains("has answered 1 duplicate;")
                .doesNotContain("secret");
    }

    @Test
    void whySaysHowACommandEndedNotWhatIdemCallsIt() {
        try (Ledger kept = Ledgers.open("sqlite:" + folder.resolve("idem.db"))) {
            shell.handle = new FaultyLedger(kept);
            leaveInDoubt();
            shell.idem("run", "--key", "no", "--failed-exits", "4", "--", "sh", "-c", "exit 4");
            assertThat(shell.idem("why", "k").out())
                    .contains("it was recorded as in doubt (fence 1, exit 3)")
                    .doesNotContain("dev.idem");
            assertThat(shell.idem("why", "no").out())
                    .contains("it failed since ", "(exit 4)")
                    .doesNotContain("CommandFailed");
            shell.idem("resolve", "k", "--as", "failed");
            assertThat(shell.idem("why", "k").out())
                    .contains("it was recorded as in doubt (fence 1, by the command's exit)");
        }
    }

    @Test
    void entriesOfTheCommandLineCarryTheRunTheyBelongTo() {
        shell.env.put("IDEM_RUN_ID", "run_01KJMV00000000000000000000");
        shell.idem("run", "--key", "a", "--", "true");
        shell.stdin = "line\n".getBytes(StandardCharsets.UTF_8);
        shell.idem("batch", "--key", "b", "--", "true");
        shell.idem("claim", "c");
        shell.idem("run", "--key", "d", "--run", "nightly-7", "--", "sh", "-c", "echo $IDEM_RUN_ID");
        shell.idem("run", "--key", "e", "--label", "run=mine", "--", "true");

        assertThat(shell.idem("ls", "--label", "run=run_01KJMV00000000000000000000", "--json")
                        .data()
                        .get("entries")
                        .toString())
                .contains("key=a", "operation=batch", "key=c")
                .doesNotContain("key=d", "key=e");
        assertThat(shell.idem("ls", "--label", "run=nightly-7").out().lines()).hasSize(2);
        assertThat(shell.idem("ls", "--label", "run=mine").out().lines()).hasSize(2);
        assertThat(shell.idem("run", "--key", "d", "--", "sh", "-c", "echo $IDEM_RUN_ID")
                        .out())
                .as("the command inside is told, so that it hands it on")
                .isEqualTo("nightly-7\n");
        assertThat(shell.idem("run", "--key", "f", "--run", "x".repeat(256), "--", "true")
                        .exit())
                .isEqualTo(2);
    }

    @Test
    void listsByLabelOperationAndAge() {
        shell.idem("run", "--key", "a", "--label", "customer=cus_1", "--label", "kind=x", "--", "true");
        shell.idem("run", "--key", "b", "--", "true");
        assertThat(shell.idem("ls", "--label", "customer=cus_1").out().lines()).hasSize(2);
        assertThat(shell.idem("ls", "--operation", "call").out().lines()).hasSize(1);
        assertThat(shell.idem("ls", "--newer-than", "1h").out().lines()).hasSize(3);
        assertThat(shell.idem("ls", "--older-than", "1h").out().lines()).hasSize(1);
        Ran first = shell.idem("ls", "--limit", "1", "--json");
        Ran second = shell.idem(
                "ls", "--limit", "1", "--cursor", (String) first.meta().get("cursor"), "--json");
        assertThat(second.data().get("entries").toString()).contains("key=a");
        assertThat(second.meta()).doesNotContainKey("cursor");
    }
}
