package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.Idem;
import dev.idem.Key;
import dev.idem.NotExecutedException;
import dev.idem.Policy;
import dev.idem.agent.formula.Formula;
import dev.idem.cli.InProcess.Ran;
import dev.idem.spi.Host;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code idem claim}, {@code renew}, {@code settle} and {@code key}. */
class ProtocolTest {
    @TempDir
    Path folder;

    private InProcess shell;

    @BeforeEach
    void open() {
        shell = new InProcess(folder);
    }

    private String claimed(String... more) {
        Ran ran = shell.idem(Stream.concat(List.of("claim", "k", "--json").stream(), List.of(more).stream())
                .toArray(String[]::new));
        assertThat(ran.exit()).as(ran.out()).isZero();
        assertThat(ran.data()).containsEntry("effect", "created").containsEntry("granted", true);
        return String.valueOf(ran.data().get("fence"));
    }

    @Test
    void claimedSettledAndAnsweredFromThere() {
        String fence = claimed();
        Ran held = shell.idem("claim", "k", "--json");
        assertThat(held.exit()).isEqualTo(4);
        assertThat(held.error()).containsEntry("retryable", true).containsKey("retry_after_ms");
        assertThat(shell.idem("renew", "k", "--fence", fence).exit()).isZero();
        shell.stdin = "{\"receipt\": 7}".getBytes(StandardCharsets.UTF_8);
        String[] settle = {"settle", "k", "--fence", fence, "--as", "complete", "--result", "-", "--json"};
        assertThat(shell.idem(settle).data()).containsEntry("effect", "updated").containsEntry("state", "complete");
        assertThat(shell.idem(settle).data()).containsEntry("effect", "noop");
        Ran replay = shell.idem("claim", "k", "--json");
        assertThat(replay.exit()).isZero();
        assertThat(replay.data())
                .containsEntry("effect", "noop")
                .containsEntry("granted", false)
                .containsEntry("result", Map.of("receipt", 7L));
        assertThat(replay.meta()).containsEntry("idempotency_hit", true);
    }

    @Test
    void aDryClaimGetsTheAnswerOfARealOne() {
        String fence = claimed("--identity", "{\"cents\": 1}");
        String[] same = {"claim", "k", "--identity", "{\"cents\": 1}", "--dry-run", "--json"};
        String[] other = {"claim", "k", "--identity", "{\"cents\": 2}", "--dry-run", "--json"};
        assertThat(shell.idem(same).error()).containsEntry("code", "IN_FLIGHT");
        assertThat(shell.idem(other).error()).containsEntry("code", "CONFLICT");
        shell.idem("settle", "k", "--fence", fence, "--as", "in_doubt");
        assertThat(shell.idem(same).error()).containsEntry("code", "IN_DOUBT");
        assertThat(shell.idem(other).error()).containsEntry("code", "CONFLICT");
    }

    /** A dry claim said that it would be granted. */
    @Test
    void aDryClaimGetsAFailureThatIsKept() {
        try (Idem idem = Idem.builder().ledger(shell.ledger).quiet().open()) {
            idem.operation("call")
                    .key("k")
                    .policy(Policy.unset().keepFailures())
                    .attempt(call -> {
                        throw new NotExecutedException("the card was refused");
                    });
        }
        for (String[] claim : new String[][] {{"claim", "k", "--json"}, {"claim", "k", "--dry-run", "--json"}}) {
            Ran ran = shell.idem(claim);
            assertThat(ran.exit()).isEqualTo(1);
            assertThat(ran.error()).containsEntry("code", "FAILED");
        }
    }

    /** The entries of a Python program said nothing about ann: no label was given by hand. */
    @Test
    void theFieldsOfTheIdentityAreLabels() {
        claimed("--identity", "{\"customer\": \"ann\", \"cents\": 4200, \"token\": \"s3cret\"}", "--label", "cents=42");
        Ran found = shell.idem("ls", "--label", "customer=ann", "--json");
        assertThat(found.out())
                .contains("\"customer\":\"ann\"", "\"cents\":\"42\"")
                .doesNotContain("s3cret");
    }

    @Test
    void failedItMayBeClaimedAgainWithAHigherFence() {
        String first = claimed();
        shell.idem("settle", "k", "--fence", first, "--as", "failed", "--error", "refused");
        String second = claimed();
        assertThat(Long.parseLong(second)).isGreaterThan(Long.parseLong(first));
        Ran stale = shell.idem("settle", "k", "--fence", first, "--as", "complete", "--json");
        assertThat(stale.exit()).isEqualTo(6);
        assertThat(stale.error()).containsEntry("code", "STALE").containsEntry("retryable", false);
        assertThat(shell.idem("renew", "k", "--fence", first).exit()).isEqualTo(6);
    }

    @Test
    void inDoubtItIsExitThreeUntilSomebodyResolvesIt() {
        shell.idem("settle", "k", "--fence", claimed(), "--as", "in_doubt", "--error", "no answer");
        Ran doubt = shell.idem("claim", "k", "--json");
        assertThat(doubt.exit()).isEqualTo(3);
        assertThat(doubt.error())
                .containsEntry("code", "IN_DOUBT")
                .containsEntry("retryable", false)
                .containsEntry("fix_command", "idem why k --operation call");
        assertThat(shell.idem("resolve", "k", "--operation", "call", "--as", "failed")
                        .exit())
                .isZero();
        claimed();
    }

    @Test
    void theIdentityGuardsTheKey() {
        claimed("--identity", "{\"to\":\"ann\"}");
        assertThat(shell.idem("claim", "k", "--identity", "{\"to\":\"bob\"}").exit())
                .isEqualTo(6);
        assertThat(shell.idem("claim", "k", "--identity", "{\"to\" :\"ann\"}").exit())
                .isEqualTo(4);
    }

    @Test
    void aClaimThatIsSentAgainGetsTheSameAnswer() {
        String id = "00112233445566778899aabbccddeeff";
        assertThat(claimed("--attempt-id", id)).isEqualTo(claimed("--attempt-id", id));
    }

    @Test
    void aDryRunClaimsNothing() {
        assertThat(shell.idem("claim", "k", "--dry-run", "--json").data()).containsEntry("effect", "would_create");
        claimed();
        assertThat(shell.idem("claim", "k", "--dry-run").exit()).isEqualTo(4);
    }

    @Test
    void aKeyWhoseOwnerDiedIsInDoubtBeforeItsLeaseIsOver() throws Exception {
        assumeTrue(Host.system().self().process() != null, "this host can't tell which processes live");
        Process owner = new ProcessBuilder("cat").start();
        String pid = Long.toString(owner.pid());
        try {
            claimed("--lease", "10m", "--owner-pid", pid);
            assertThat(shell.idem("claim", "k").exit()).as("while it lives").isEqualTo(4);
        } finally {
            owner.destroyForcibly().waitFor();
        }
        Ran doubt = shell.idem("claim", "k", "--json");
        assertThat(doubt.exit()).isEqualTo(3);
        assertThat(String.valueOf(doubt.error().get("message"))).contains("pid " + pid + ", ended without settling");
        Ran late = shell.idem("claim", "other", "--owner-pid", pid);
        assertThat(late.exit())
                .as("a claim that arrives after its owner's death")
                .isEqualTo(2);
        assertThat(shell.idem("show", "other", "--operation", "call").exit()).isEqualTo(5);
    }

    @Test
    void aProbeThatFindsNothingClearsTheDoubt() throws Exception {
        shell.idem("settle", "k", "--fence", claimed("--timeout", "1ms"), "--as", "in_doubt", "--error", "no answer");
        shell.clocks.advance(Duration.ofSeconds(1));
        String probing = claimed("--take-over", "probe");
        assertThat(shell.idem("settle", "k", "--fence", probing, "--as", "failed", "--json")
                        .data())
                .as("a failure of the probe says nothing about the doubted attempt")
                .containsEntry("state", "in_doubt");
        String again = claimed("--take-over", "probe");
        assertThat(shell.idem("settle", "k", "--fence", again, "--as", "not_executed", "--json")
                        .data())
                .containsEntry("state", "failed");
        claimed();
    }

    @Test
    void whatCannotBeReplayedIsCompleteAllTheSame() {
        String fence = claimed();
        String[] both = {"settle", "k", "--fence", fence, "--as", "complete", "--result", "1", "--no-result", "why"};
        assertThat(shell.idem(both).exit()).isEqualTo(2);
        String[] settle = {"settle", "k", "--fence", fence, "--as", "complete", "--no-result", "a datetime"};
        assertThat(shell.idem(settle).exit()).isZero();
        assertThat(shell.idem("claim", "k", "--json").data())
                .containsEntry("granted", false)
                .containsEntry("state", "complete")
                .containsEntry("result_unavailable", "a datetime");
    }

    @Test
    void aKeyIsWhatJavaDerives() throws IOException {
        String expected = Key.derive("s", "charge", Map.of("to", "ann", "n", 7)).value();
        Files.writeString(folder.resolve("a.json"), "{ \"n\": 7, \"to\": \"ann\" }");
        assertThat(shell.idem("key", "--scope", "s", "--operation", "charge", "a.json")
                        .out())
                .isEqualTo(expected + "\n");
        assertThat(shell.idem("key", "--scope", "s", "--operation", "charge", "--identity", "{\"to\":\"ann\",\"n\":7}")
                        .out())
                .isEqualTo(expected + "\n");
        assertThat(shell.idem("key", "--field", "b=2", "--field", "a=1").out())
                .isEqualTo(shell.idem("key", "--identity", "{\"a\":\"1\",\"b\":\"2\"}")
                        .out());
        assertThat(shell.idem("key", "a.json", "--explain").out()).contains("identity: {\"n\":7,\"to\":\"ann\"}");
        assertThat(shell.idem("key", "a.json", "--occurrence", "2").out())
                .isNotEqualTo(shell.idem("key", "a.json").out());
    }

    @Test
    void aKeyByAnotherProgramsFormula() {
        assertThat(shell.idem("key", "--formula", "plain_sha256", "--identity", "\"a:b\"")
                        .out())
                .isEqualTo(Formula.PLAIN_SHA256.key("a:b") + "\n");
        Ran unknown = shell.idem("key", "--formula", "odd", "--identity", "1");
        assertThat(unknown.exit()).isEqualTo(2);
        assertThat(unknown.err()).contains("plain_sha256");
    }

    /** The amount of the document's own example, 99.99, was refused. The expected keys are those of Python. */
    @Test
    void aKeyByAnotherProgramsFormulaTakesFractions() {
        assertThat(shell.idem(
                                "key",
                                "--formula",
                                "make_idempotency_key",
                                "--identity",
                                "{\"args\": [\"cus_1\", 99.99], \"kwargs\": {}}")
                        .out())
                .isEqualTo("idem_b006674a8dd81b249ddb2ceb\n");
        String inputs = "{\"amount\": 99.99, \"user\": \"alice\", \"zero\": -0.0, \"big\": 1e22}";
        assertThat(shell.idem(
                                "key",
                                "--formula",
                                "cli_workaround_key",
                                "--identity",
                                "{\"operation\": \"create-order\", \"inputs\": " + inputs + "}")
                        .out())
                .isEqualTo("538ca52c4f9f149ccc774175f9e5a6ec\n");
    }

    @Test
    void volatileFieldsAreWarnedOf() {
        assertThat(shell.idem("key", "--field", "timestamp=1767225600").err()).contains("warning: ");
    }

    @Test
    void theDifferenceNamesTheFieldThatSplitsTheKeys() throws IOException {
        Files.writeString(folder.resolve("a.json"), "{\"to\":\"ann\",\"items\":[1,2],\"n\":1.0}");
        Files.writeString(folder.resolve("b.json"), "{\"n\":1,\"items\":[1,3],\"to\":\"ann\",\"x\":null}");
        Ran ran = shell.idem("key", "--diff", "a.json", "b.json");
        assertThat(ran.out()).isEqualTo("two keys, split by:\n  $.items[1]: 2 | 3\n  $.x: (absent) | null\n");
    }
}
