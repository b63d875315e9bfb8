package dev.idem.clikit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import dev.idem.LedgerUnavailableException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DryRunTest {
    private final Shop shop = new Shop();

    @Test
    void itAnswersWithTheDeclaredEffectAndTheCommandAddsTheChanges() {
        Ran dry = shop.run("create-order", "--amount", "100", "--idempotency-key", "k1", "--dry-run");

        assertThat(dry.exit()).isZero();
        assertThat(dry.effect()).isEqualTo("would_create");
        assertThat(dry.data().get("changes")).asInstanceOf(LIST).containsExactly("would create an order over 100 EUR");
        assertThat(shop.world).isEmpty();
        assertThat(shop.run("create-order", "--amount", "100", "--idempotency-key", "k1")
                        .effect())
                .isEqualTo("created");
    }

    @Test
    void everyMutatingCommandHasItWithoutDoingAnythingForIt() {
        assertThat(shop.run("deploy", "--version", "1", "--idempotency-key", "k", "--dry-run")
                        .effect())
                .isEqualTo("would_update");
        assertThat(shop.run("delete-order", "1", "--idempotency-key", "k", "--dry-run")
                        .effect())
                .isEqualTo("would_delete");
        assertThat(shop.run("ship", "parcel", "Ann", "--idempotency-key", "k", "--dry-run")
                        .effect())
                .isEqualTo("would_update");
        assertThat(shop.run("act", "--idempotency-key", "k", "--dry-run").effect())
                .isEqualTo("would_create");
        assertThat(shop.world).isEmpty();
    }

    @Test
    void itChecksTheArguments() {
        assertThat(shop.run("create-order", "--amount", "-1", "--idempotency-key", "k1", "--dry-run")
                        .exit())
                .isEqualTo(2);
    }

    @Test
    void whatIsDoneIsANoop() {
        shop.run("create-order", "--amount", "100", "--idempotency-key", "k1");
        Ran dry = shop.run("create-order", "--amount", "100", "--idempotency-key", "k1", "--dry-run");

        assertThat(dry.effect()).isEqualTo("noop");
        assertThat((String) dry.data().get("reason")).startsWith("Already done");
        assertThat(dry.meta().get("idempotency_hit")).isEqualTo(true);
    }

    @Test
    void aKeyOfOtherArgumentsWouldConflict() {
        shop.run("create-order", "--amount", "100", "--idempotency-key", "k1");
        Ran dry = shop.run("create-order", "--amount", "101", "--idempotency-key", "k1", "--dry-run");

        assertThat(dry.exit()).isEqualTo(6);
        assertThat(dry.error().get("code")).isEqualTo("CONFLICT");
    }

    @Test
    void whatFailedWouldRunAgainAndWhatIsInDoubtWouldNot() {
        shop.act = call -> {
            throw Refusal.precondition("too_early", "not yet");
        };
        shop.run("act", "--idempotency-key", "failed");
        shop.act = call -> {
            throw new IllegalStateException("lost");
        };
        shop.run("act", "--idempotency-key", "doubted");

        Ran failed = shop.run("act", "--idempotency-key", "failed", "--dry-run");
        assertThat(failed.effect()).isEqualTo("would_create");
        assertThat(failed.meta().get("attempt")).isEqualTo(2L);
        assertThat(shop.run("act", "--idempotency-key", "doubted", "--dry-run").exit())
                .isEqualTo(3);
    }

    @Test
    void whatRunsIsInFlight() throws Exception {
        CountDownLatch acting = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        shop.act = call -> {
            acting.countDown();
            await(goOn);
            return "acted";
        };
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            Future<Ran> running = other.submit(() -> shop.run("act", "--idempotency-key", "k1"));
            await(acting);
            Ran dry = shop.run("act", "--idempotency-key", "k1", "--dry-run");
            goOn.countDown();

            assertThat(dry.exit()).isEqualTo(4);
            assertThat(dry.error().get("code")).isEqualTo("IN_FLIGHT");
            assertThat(running.get(60, TimeUnit.SECONDS).effect()).isEqualTo("created");
        } finally {
            goOn.countDown();
            other.shutdownNow();
        }
    }

    @Test
    void withoutAKeyItSaysThatTheRealCallNeedsOne() {
        Ran dry = shop.run("create-order", "--amount", "100", "--dry-run");

        assertThat(dry.effect()).isEqualTo("would_create");
        assertThat(dry.warningCodes()).containsExactly("KEY_REQUIRED");
    }

    @Test
    void itNeedsTheLedger() {
        shop.settings = builder -> builder.ledger(new BrokenLedger(new LedgerUnavailableException("no route", null)));

        assertThat(shop.run("create-order", "--amount", "100", "--idempotency-key", "k1", "--dry-run")
                        .exit())
                .isEqualTo(12);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
