package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.Probe;
import dev.idem.cli.InProcess.Ran;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Ledgers;
import dev.idem.spi.Mark;
import dev.idem.spi.Owner;
import dev.idem.spi.ProcessRef;
import dev.idem.testkit.FaultyLedger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A person finds out what an entry was about and what went wrong, and says what came of it. */
class InvestigateTest {
    @TempDir
    Path folder;

    private InProcess shell;

    @BeforeEach
    void open() {
        shell = new InProcess(folder);
    }

    private void leaveInDoubt(String key) {
        long fence = (Long) shell.idem("claim", key, "--label", "customer=ann", "--json")
                .data()
                .get("fence");
        shell.idem(
                "settle",
                key,
                "--fence",
                Long.toString(fence),
                "--as",
                "in_doubt",
                "--error",
                "no answer from the bank");
    }

    @Test
    void settledAsFailedOnACompleteEntryIsTold() {
        shell.idem("claim", "k");
        shell.idem("settle", "k", "--fence", "1", "--as", "complete", "--result", "1");
        Ran ran = shell.idem("settle", "k", "--fence", "1", "--as", "failed");
        assertThat(ran.exit()).isEqualTo(6);
        assertThat(ran.err()).contains("'k' was settled before as complete. Nothing was written");
        assertThat(shell.idem("settle", "k", "--fence", "1", "--as", "complete", "--result", "1")
                        .exit())
                .isZero();
        Ran other = shell.idem("settle", "k", "--fence", "1", "--as", "complete", "--result", "2");
        assertThat(other.exit()).isEqualTo(6);
        assertThat(other.err()).contains("with another result");
    }

    @Test
    void settledAsCompleteAfterFailedIsTold() {
        shell.idem("claim", "k");
        shell.idem("settle", "k", "--fence", "1", "--as", "failed", "--error", "no");
        for (String dry : new String[] {"", "--dry-run"}) {
            Ran ran = shell.idem(("settle k --fence 1 --as complete --result 1 " + dry)
                    .trim()
                    .split(" ", -1));
            assertThat(ran.exit()).isEqualTo(6);
            assertThat(ran.err())
                    .contains("'k' was settled before as failed. Nothing was written")
                    .contains("if it did happen: idem resolve k --as complete --result JSON --operation call");
        }
    }

    /** It said "complete with another result", although there was none, and nothing of how to give it one. */
    @Test
    void aResultForAnEntryThatIsCompleteWithoutOneIsRefusedWithTheLinesThatGiveIt() {
        leaveInDoubt("k");
        shell.idem("resolve", "k", "--operation", "call", "--as", "complete", "--no-result", "the bank is closed");

        Ran ran = shell.idem("resolve", "k", "--operation", "call", "--as", "complete", "--result", "1");

        assertThat(ran.exit()).isEqualTo(6);
        assertThat(ran.err())
                .contains("'k' is complete without a result, and complete is final. Nothing was changed")
                .contains("stop what calls it, since a forgotten key runs again; then: idem forget k --yes --operation "
                        + "call, idem claim k --operation call and idem settle k --fence FENCE --as complete --result "
                        + "JSON --operation call");
        shell.idem("forget", "k", "--yes", "--operation", "call");
        long fence = (Long)
                shell.idem("claim", "k", "--operation", "call", "--json").data().get("fence");
        shell.idem(("settle k --fence " + fence + " --as complete --result 1 --operation call").split(" ", -1));
        assertThat(shell.idem("claim", "k", "--json").data()).containsEntry("result", 1L);
    }

    @Test
    void resolvedWithAResultTheFlowGoesOn() throws Exception {
        leaveInDoubt("k");
        String[] line = {
            "resolve",
            "k",
            "--operation",
            "call",
            "--as",
            "complete",
            "--result",
            "{\"id\":\"ch_1\"}",
            "--by",
            "ann",
            "--why",
            "seen in the bank statement"
        };
        assertThat(shell.idem(line).exit()).isZero();
        assertThat(shell.idem("claim", "k", "--json").data()).containsEntry("result", Map.of("id", "ch_1"));
        try (Idem idem = Idem.builder().ledger(shell.ledger).quiet().open()) {
            assertThat(idem.operation("call").key("k").run(call -> "again")).isEqualTo(Map.of("id", "ch_1"));
        }
        assertThat(shell.idem("show", "k", "--operation", "call").out())
                .contains("resolved by  ann\nwhy          seen in the bank statement\n");
        assertThat(shell.idem("why", "k", "--operation", "call").out())
                .contains("resolved by ann: seen in the bank statement");
        assertThat(shell.idem(line).exit()).isZero();
        line[7] = "2";
        assertThat(shell.idem(line).exit()).isEqualTo(6);
    }

    @Test
    void aResultIsReadFromStdin() {
        leaveInDoubt("k");
        shell.stdin = "[1,2]".getBytes(StandardCharsets.UTF_8);
        shell.idem("resolve", "k", "--operation", "call", "--as", "complete", "--result", "-");
        assertThat(shell.idem("claim", "k", "--json").data().get("result").toString())
                .isEqualTo("[1, 2]");
    }

    /** It was stored as text, and no later call that declares another type could read it. */
    @Test
    void aResultThatIsNotJsonIsRefused() throws Exception {
        leaveInDoubt("k");
        for (String wrong : new String[] {"ch_1", "{\"id\":\"ch_1\",\"cents\":4200,}", "-"}) {
            shell.stdin = "ch_1\n".getBytes(StandardCharsets.UTF_8);
            Ran ran = shell.idem("resolve", "k", "--operation", "call", "--as", "complete", "--result", wrong);
            assertThat(ran.exit()).as(wrong).isEqualTo(2);
            assertThat(ran.err()).contains("--result is not JSON", "(line 1:", "--result '\"ch_1\"'");
        }
        assertThat(shell.idem("show", "k", "--operation", "call", "--json").data())
                .containsEntry("state", "in_doubt");
        shell.idem("resolve", "k", "--operation", "call", "--as", "complete", "--result", "\"ch_1\"");
        try (Idem idem = Idem.builder().ledger(shell.ledger).quiet().open()) {
            assertThat(idem.operation("call").key("k").returning(String.class).run(call -> "again"))
                    .isEqualTo("ch_1");
        }
    }

    @Test
    void resolvingWithoutAResultWantsToBeMeant() {
        leaveInDoubt("k");
        Ran bare = shell.idem("resolve", "k", "--operation", "call", "--as", "complete");
        assertThat(bare.exit()).isEqualTo(2);
        assertThat(bare.err()).contains("--result JSON", "--no-result WHY", "and get the reason");
        Ran meant = shell.idem(
                "resolve", "k", "--operation", "call", "--as", "complete", "--no-result", "lost", "--by", "ann");
        assertThat(meant.exit()).isZero();
        assertThat(meant.out()).contains("later calls do not run");
        assertThat(shell.idem("claim", "k", "--json").data())
                .containsEntry("result_unavailable", "ann resolved it without a result: lost");
    }

    @Test
    void theOutputOfACommandCanBeGivenWhenItIsResolved() {
        shell.idem("run", "--key", "k", "--", "sh", "-c", "exit 3");
        shell.idem("resolve", "k", "--as", "complete", "--result", "ch_1\n");
        Ran again = shell.idem("run", "--key", "k", "--", "sh", "-c", "exit 3");
        assertThat(again.exit()).isZero();
        assertThat(again.out()).isEqualTo("ch_1\n");
        assertThat(again.err()).contains("with the output that was given then").doesNotContain("not known");
    }

    @Test
    void theStoryNamesThePersonWhoResolvedIt() {
        try (Ledger kept = Ledgers.open("jsonl:" + folder.resolve("idem.jsonl"), LedgerContext.ofHost(shell.host))) {
            shell.handle = new FaultyLedger(kept);
            leaveInDoubt("k");
            shell.idem("resolve k --operation call --as failed --by ann --why not:found".split(" ", -1));
            leaveInDoubt("k");
            shell.idem("resolve k --operation call --as complete --result 1".split(" ", -1));
            assertThat(shell.idem("why", "k", "--operation", "call").out())
                    .containsPattern(": ann resolved it as failed \\(fence [0-9]+\\): not:found\\.\n")
                    .containsPattern(": somebody resolved it as complete \\(fence [0-9]+\\)\\.\n");
        }
    }

    @Test
    void whatWentWrongAndWhatItWasAboutIsShown() {
        leaveInDoubt("k");
        assertThat(shell.idem("show", "k", "--operation", "call").out())
                .contains("failure      idem settle: no answer from the bank")
                .contains("label        customer=ann");
        assertThat(shell.idem("why", "k", "--operation", "call").out())
                .contains("no answer from the bank", "It is about customer=ann");
        assertThat(shell.idem("ls").out()).contains("customer=ann no answer from the bank");
        assertThat(shell.idem("show", "k", "--operation", "call", "--json").data())
                .containsEntry("failure_message", "no answer from the bank");
    }

    @Test
    void aCommandOfAnotherContainerIsNotSaidToHaveEnded() {
        ProcessRef elsewhere = new ProcessRef(
                "another-host/4026531836", ProcessHandle.current().pid(), 1);
        ClaimRequest request = ClaimRequest.of(
                        new AttemptId(1, 2),
                        new Address("default", "run", "k"),
                        Fingerprints.NONE,
                        new Owner("pid 7", elsewhere))
                .withStaged(true);
        Claim.Granted granted = (Claim.Granted) shell.ledger.claim(request);
        shell.ledger.mark(granted.ticket(), new Mark("started", elsewhere));
        assertThat(shell.idem("why", "k").out())
                .contains("can't be seen from here")
                .doesNotContain("has ended");
    }

    @Test
    void aDoubtIsNotAsOldAsTheLook() {
        ProcessRef gone = new ProcessRef(shell.host.self().process().host(), 4_194_304, 1);
        shell.ledger.claim(ClaimRequest.of(
                        new AttemptId(1, 2),
                        new Address("default", "run", "k"),
                        Fingerprints.NONE,
                        new Owner("pid 4194304", gone))
                .withLease(Duration.ofHours(1)));
        Instant claimed = shell.ledger
                .find(new Address("default", "run", "k"))
                .orElseThrow()
                .times()
                .claimed();
        shell.clocks.advance(Duration.ofMinutes(5));
        assertThat(shell.idem("show", "k", "--json").data()).containsEntry("doubt_since", claimed.toString());
    }

    @Test
    void whatAProbeFoundDidNotRunWhenTheProbeAsked() {
        try (Idem idem = Idem.builder().ledger(shell.ledger).quiet().open()) {
            idem.operation("charge")
                    .key("c")
                    .policy(Policy.unset().timeLimit(Duration.ofSeconds(1)))
                    .attempt(call -> {
                        throw new IllegalStateException("lost");
                    });
            Instant ran = shell.ledger
                    .find(new Address("default", "charge", "c"))
                    .orElseThrow()
                    .times()
                    .claimed();
            shell.clocks.advance(Duration.ofHours(1));
            Outcome<?> found = idem.operation("charge")
                    .key("c")
                    .probe(doubted -> Probe.Verdict.happened("ch_1"))
                    .attempt(call -> "again");
            assertThat(found.toString()).contains("executedAt=" + ran);
        }
    }

    @Test
    void aCursorOrALabelThatIsNoneIsUsage() {
        Ran cursor = shell.idem("ls", "--cursor", "zzz");
        assertThat(cursor.exit()).isEqualTo(2);
        assertThat(cursor.err())
                .contains("--cursor: 'zzz' is no place to go on from")
                .doesNotContain("Exception");
        for (String command :
                new String[] {"run --key k --label a=%s -- true", "claim k --label a=%s", "ls --label a=%s"}) {
            Ran label = shell.idem(String.format(command, "x".repeat(300)).split(" ", -1));
            assertThat(label.exit()).as(command).isEqualTo(2);
            assertThat(label.err()).contains("--label: the value of 'a' has 300 characters");
        }
    }

    @Test
    void aClaimWithoutAnIdentitySaysThatNothingWasCompared() {
        shell.idem("claim", "k", "--identity", "{\"n\":1}");
        shell.idem("settle", "k", "--fence", "1", "--as", "complete", "--result", "1");
        assertThat(shell.idem("claim", "k", "--json").json().get("warnings").toString())
                .contains("NOT_COMPARED");
        assertThat(shell.idem("claim", "k", "--identity", "{\"n\":1}", "--json")
                        .json()
                        .get("warnings")
                        .toString())
                .doesNotContain("NOT_COMPARED");
    }

    @Test
    void hintsCarryTheLedgerTheyAreAbout() {
        shell.idem("run", "--key", "d", "--", "false");
        assertThat(shell.idem("doctor", "--ledger", "test:").out())
                .contains("see: idem ls --state in_doubt --ledger test:");
    }
}
