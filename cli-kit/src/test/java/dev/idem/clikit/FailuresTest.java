package dev.idem.clikit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import dev.idem.NotExecutedException;
import dev.idem.Policy;
import dev.idem.Probe;
import dev.idem.clikit.call.Invocation;
import dev.idem.command.Answer;
import dev.idem.spi.Effect;
import dev.idem.spi.Fence;
import dev.idem.spi.Payload;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FailuresTest {
    private final Shop shop = new Shop();

    @Test
    void allThatIsWrongWithTheArgumentsIsSaidAtOnceAndNothingHappens() {
        Ran wrong = shop.run("create-order", "--amount", "-1", "--currency", "Euro", "--idempotency-key", "k1");

        assertThat(wrong.exit()).isEqualTo(2);
        assertThat(wrong.error().get("phase")).isEqualTo("validation");
        assertThat(wrong.error().get("problems")).asInstanceOf(LIST).hasSize(2);
        assertThat(shop.world).isEmpty();
        assertThat(shop.run("create-order", "--amount", "1", "--idempotency-key", "k1")
                        .effect())
                .isEqualTo("created");
    }

    @Test
    void whatPicocliRefusesIsAnEnvelopeToo() {
        assertThat(usage("create-order", "--idempotency-key", "k1")).contains("--amount");
        assertThat(usage("create-order", "--amount", "many")).contains("many");
        assertThat(usage("create-order", "--amount", "1", "--colour", "red")).contains("--colour");
        assertThat(usage("create-ordr")).contains("create-ordr");
        assertThat(usage("half a pair: \ud800")).contains("half a pair: ?");
        assertThat(usage("--json")).contains("create-order");
        assertThat(usage("ship")).contains("parcel");
        assertThat(usage("create-order", "--amount", "1", "--wait", "-1", "--idempotency-key", "k"))
                .contains("--wait");
        assertThat(usage("create-order", "--amount", "1", "--json-shape", "round", "--idempotency-key", "k"))
                .contains("--json-shape");
        assertThat(usage("create-order", "--amount", "1", "--idempotency-key", "a key"))
                .contains("key");
        assertThat(usage("create-order", "--amount", "1", "--idempotency-key", ""))
                .contains("key");
        assertThat(usage("ship", "parcel", "half a pair: \ud800", "--idempotency-key", "k"))
                .contains("surrogate");
        assertThat(usage("stock", "--dry-run")).contains("--dry-run");
        assertThat(shop.world).isEmpty();
    }

    @Test
    void argumentsMayHoldAnyTextThatIsText() {
        String[] line = {"ship", "parcel", "Ann\nO'Neil \"\t\u0000\ud83d\ude00", "--idempotency-key", "k"};

        assertThat(shop.run(line).effect()).isEqualTo("updated");
        assertThat(shop.run(line).effect()).isEqualTo("noop");
        assertThat(shop.world).hasSize(1);
    }

    @Test
    void aMisspeltCommandIsToldItsNeighbours() {
        Ran wrong = shop.run("create-ordr");

        assertThat((String) wrong.error().get("suggestion")).contains("create-order");
        assertThat(wrong.error().get("fix_command")).isEqualTo("shop --help");
    }

    @Test
    void aRefusalHasItsExitCodeAndTheKeyMayRunAgain() {
        refuses(Refusal.precondition("TOO_EARLY", "not before Monday"), 4, true);
        refuses(Refusal.notFound("NO_SUCH_ORDER", "there is no order 7"), 5, false);
        refuses(Refusal.conflict("SOLD_OUT", "nothing is left"), 6, false);
        refuses(Refusal.permission("NOT_YOURS", "it belongs to Bob"), 7, false);
        refuses(Refusal.unavailable("MAIL_DOWN", "the server answers 503"), 12, true);
        refuses(new NotExecutedException("did nothing"), 1, true);
    }

    @Test
    void aRefusalsCodeOfAnotherFormIsPutRight() {
        assertThat(Refusal.conflict("mail_down", "no").code()).isEqualTo("MAIL_DOWN");
        assertThat(Refusal.conflict("sold-out", "no").code()).isEqualTo("SOLD_OUT");
        assertThat(Refusal.conflict("404", "no").code()).isEqualTo("REFUSED_404");
        assertThat(Refusal.conflict("", "no").code()).isEqualTo("REFUSED_");
        shop.act = call -> {
            throw Refusal.conflict("sold-out", "nothing is left");
        };

        assertThat(shop.run("act", "--idempotency-key", "k1").error().get("code"))
                .isEqualTo("SOLD_OUT");
    }

    @Test
    void aRefusalMaySayWhenToTryAgain() {
        shop.act = call -> {
            throw Refusal.unavailable("MAIL_DOWN", "503").retryAfter(Duration.ofSeconds(3));
        };

        assertThat(shop.run("act", "--idempotency-key", "k1").error().get("retry_after_ms"))
                .isEqualTo(3000L);
    }

    @Test
    void anyOtherExceptionLeavesTheKeyInDoubtAndItDoesNotRunAgain() {
        shop.act = call -> {
            shop.world.add("acted");
            throw new IllegalStateException("the answer made no sense");
        };
        Ran broken = shop.run("act", "--idempotency-key", "k1");
        Ran retry = shop.run("act", "--idempotency-key", "k1");

        assertThat(broken.exit()).isEqualTo(3);
        assertThat(broken.error().get("code")).isEqualTo("IN_DOUBT");
        assertThat(broken.error().get("retryable")).isEqualTo(false);
        assertThat((String) broken.error().get("message")).contains("the answer made no sense");
        assertThat(retry.exit()).isEqualTo(3);
        assertThat((String) retry.error().get("suggestion")).contains("--dry-run");
        assertThat(shop.world).containsExactly("acted");
    }

    @Test
    void aTimeOutIsInDoubtAndHasACodeOfItsOwn() {
        shop.act = call -> FailuresTest.<RuntimeException>sneak(new SocketTimeoutException("read timed out"));

        assertThat(shop.run("act", "--idempotency-key", "k1").exit()).isEqualTo(10);
        assertThat(shop.run("act", "--idempotency-key", "k1").exit()).isEqualTo(3);
    }

    @Test
    void aProbeEndsTheDoubt() {
        probesAfter(Duration.ofMillis(1500));
        shop.act = call -> {
            shop.world.add("acted");
            throw new IllegalStateException("lost");
        };
        shop.run("act", "--idempotency-key", "k1");
        shop.verdict = Probe.Verdict.happened(Map.of("id", 42));
        Ran found = shop.run("act", "--idempotency-key", "k1");

        assertThat(found.exit()).isZero();
        assertThat(found.effect()).isEqualTo("noop");
        assertThat(found.data().get("id")).isEqualTo(42L);
        assertThat(shop.world).containsExactly("acted");
    }

    @Test
    void aProbeThatSaysNoLetsItRun() {
        probesAfter(Duration.ofMillis(1500));
        shop.act = call -> {
            throw new IllegalStateException("lost");
        };
        shop.run("act", "--idempotency-key", "k1");
        shop.verdict = Probe.Verdict.notExecuted();
        shop.act = call -> Effected.created("this time");
        Ran again = shop.run("act", "--idempotency-key", "k1");

        assertThat(again.effect()).isEqualTo("created");
        assertThat(again.meta().get("attempt")).isEqualTo(2L);
    }

    @Test
    void whatAPersonHasSettledIsANoop() {
        shop.act = call -> {
            throw new IllegalStateException("lost");
        };
        shop.run("act", "--idempotency-key", "k1");
        Address address = new Address("shop", "act", "k1");
        Fence seen = shop.ledger.find(address).orElseThrow().fence();
        Result nothing = new Result.Stored(Payload.of("null".getBytes(UTF_8), "application/json", "json"));
        shop.ledger.resolve(address, seen, new Settlement.Completed(nothing, Effect.NOOP, Retention.DEFAULT));
        Ran settled = shop.run("act", "--idempotency-key", "k1");

        assertThat(settled.exit()).isZero();
        assertThat(settled.effect()).isEqualTo("noop");
        assertThat((String) settled.meta().get("original_reason")).contains("by hand");
    }

    @Test
    void aKindThatWasDeclaredDefiniteMeansThatNothingHappened() {
        shop.act = call -> FailuresTest.<RuntimeException>sneak(new ConnectException("refused"));
        Ran refused = shop.run("act", "--idempotency-key", "k1");

        assertThat(refused.exit()).isEqualTo(12);
        assertThat(refused.error().get("retryable")).isEqualTo(true);
        shop.act = call -> "acted";
        assertThat(shop.run("act", "--idempotency-key", "k1").effect()).isEqualTo("created");
    }

    @Test
    void aLedgerThatCantBeReachedRunsNothing() {
        shop.settings = builder -> builder.ledger(new BrokenLedger(new LedgerUnavailableException("no route", null)));
        Ran down = shop.run("create-order", "--amount", "1", "--idempotency-key", "k1");

        assertThat(down.exit()).isEqualTo(12);
        assertThat(down.error().get("code")).isEqualTo("LEDGER_UNAVAILABLE");
        assertThat(down.error().get("retryable")).isEqualTo(true);
        assertThat(shop.world).isEmpty();
    }

    @Test
    void aLedgerThatCantBeReadRunsNothing() {
        shop.settings = builder -> builder.ledger(new BrokenLedger(new LedgerUnreadableException("torn", null)));
        Ran torn = shop.run("create-order", "--amount", "1", "--idempotency-key", "k1");

        assertThat(torn.exit()).isEqualTo(1);
        assertThat(torn.error().get("code")).isEqualTo("LEDGER_UNREADABLE");
        assertThat(torn.error().get("retryable")).isEqualTo(false);
        assertThat(shop.world).isEmpty();
    }

    @Test
    void aFileThatIsNoLedgerRunsNothing(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("ledger.db"), "this is no database at all, only a long sentence");
        shop.settings = builder -> builder.ledger("sqlite:" + file);
        Ran broken = shop.run("create-order", "--amount", "1", "--idempotency-key", "k1");

        assertThat(broken.exit()).isIn(1, 12);
        assertThat((String) broken.error().get("code")).startsWith("LEDGER_");
        assertThat(shop.world).isEmpty();
    }

    @Test
    void whatWasAnsweredStandsWhereTheLedgerCantBeClosed() {
        Idem idem = Idem.open("unclosable:");
        Answer answer = Invocation.closing(idem, open -> Answer.ok("created"));

        assertThat(answer.exit()).isZero();
        assertThat(answer.envelope(0).get("warnings").toString()).contains("LEDGER_NOT_CLOSED");
    }

    @Test
    void anUnknownLedgerIsSaidToBeSo() {
        shop.settings = builder -> builder.ledger("tape:reel");
        Ran unknown = shop.run("create-order", "--amount", "1", "--idempotency-key", "k1");

        assertThat(unknown.exit()).isEqualTo(1);
        assertThat((String) unknown.error().get("message")).contains("tape");
    }

    /** A probe is believed once the doubted attempt can no longer act: when its time limit is over. */
    private void probesAfter(Duration limit) {
        shop.settings =
                builder -> builder.idem(idem -> idem.policy(Policy.unset().timeLimit(limit)));
    }

    private void refuses(RuntimeException refusal, int exit, boolean retryable) {
        String key = "k-" + exit;
        shop.act = call -> {
            throw refusal;
        };
        Ran refused = shop.run("act", "--idempotency-key", key);
        assertThat(refused.exit()).isEqualTo(exit);
        assertThat(refused.error().get("retryable")).isEqualTo(retryable);
        assertThat((String) refused.error().get("message")).contains(refusal.getMessage());
        shop.act = call -> "acted";
        assertThat(shop.run("act", "--idempotency-key", key).effect()).isEqualTo("created");
    }

    private String usage(String... args) {
        Ran wrong = shop.run(args);
        assertThat(wrong.exit()).isEqualTo(2);
        assertThat(wrong.error().get("retryable")).isEqualTo(false);
        assertThat(wrong.error().get("phase")).isEqualTo("validation");
        return (String) wrong.error().get("message");
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // lets a checked exception pass unseen
    private static <X extends Throwable> Object sneak(Throwable thrown) throws X {
        throw (X) thrown;
    }
}
