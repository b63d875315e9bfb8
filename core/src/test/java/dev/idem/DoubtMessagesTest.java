package dev.idem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.idem.internal.runtime.Log;
import dev.idem.seal.SealKeys;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The messages about a doubt, and the facts in the entry and the log. */
class DoubtMessagesTest {
    private static final class Bean {}

    private record Holder(String id, List<Bean> beans) {}

    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();

    @AfterEach
    void close() {
        idem.close();
    }

    @Test
    void aDoubtWithAProbeSaysWhenTheProbeIsAsked() {
        InDoubtException doubt = doubtOf(charge().probe(entry -> Probe.Verdict.unknown()));
        assertThat(doubt).hasMessageContaining("asks the probe").hasMessageContaining("time limit");
        assertThat(doubt.getMessage()).doesNotContain("declare probe(");
        assertThat(doubt.mayTryAgain()).isTrue();
    }

    @Test
    void aProbeThatThrewIsNamedAndAttached() {
        Operation<Object> charge = charge().policy(Policy.unset().probeGrace(Duration.ZERO))
                .probe(entry -> {
                    throw new IllegalStateException("the provider answered 500");
                });
        charge.attempt(DoubtMessagesTest::loseTheAnswer);

        Throwable asked = charge.attempt(call -> "never").failure();

        assertThat(asked)
                .isInstanceOf(InDoubtException.class)
                .hasMessageContaining(
                        "The probe was asked and threw java.lang.IllegalStateException. The next call asks it again");
        assertThat(asked.getSuppressed())
                .singleElement()
                .hasToString("java.lang.IllegalStateException: the provider answered 500");
    }

    @Test
    void aProbeThatCanNotTellIsNotAnnouncedAsStillToCome() {
        Operation<Object> charge =
                charge().policy(Policy.unset().probeGrace(Duration.ZERO)).probe(entry -> Probe.Verdict.unknown());
        charge.attempt(DoubtMessagesTest::loseTheAnswer);

        assertThat(charge.attempt(call -> "never").failure())
                .hasMessageContaining("The probe was asked and could not tell. The next call asks it again");
    }

    @Test
    void aValueThatAPersonGaveIsReplayedWithItsNote() {
        charge().attempt(DoubtMessagesTest::loseTheAnswer);
        idem.resolve(charge().find().orElseThrow())
                .by("ann")
                .because("seen in the bank statement")
                .asComplete("ch_1");

        assertThat(charge().attempt(call -> "never").message())
                .startsWith("replayed, resolved by ann: seen in the bank statement");
    }

    @Test
    void aWarningIsLoggedOnce() {
        Operation<Object> reworded = idem.operation("mail").key("k").identity(Map.of("to", "ann"));
        reworded.content("a").run(call -> "sent");

        List<LogRecord> lines = logged(() -> reworded.content("b").run(call -> "sent"));

        assertThat(lines).filteredOn(line -> line.getLevel() == Level.WARNING).hasSize(1);
    }

    @Test
    void aDoubtWithARemoteThatKnowsTheKeySaysThatTheNextCallRunsAgain() throws Exception {
        Operation<Object> charge =
                charge().policy(Policy.unset().passesKeyTo(new RemoteKeys("Stripe", Duration.ofHours(24))));
        InDoubtException doubt = doubtOf(charge);
        assertThat(doubt).hasMessageContaining("The next call runs it again with the same key, which Stripe remembers");
        assertThat(doubt.mayTryAgain()).isTrue();
        assertThat(charge.run(call -> "charged")).isEqualTo("charged");
    }

    @Test
    void aDoubtWithNothingDeclaredNamesAllThatCouldBe() {
        InDoubtException doubt = doubtOf(charge());
        assertThat(doubt)
                .hasMessageContaining("idem.resolve(entry).by(\"NAME\").because(\"REASON\")")
                .hasMessageContaining("rerunOnDoubt()")
                .hasMessageContaining("passesKeyTo(...)")
                .hasMessageContaining("probe(...)");
        assertThat(doubt.mayTryAgain()).isFalse();
    }

    @Test
    void theReasonOfACallThatThrewTellsTheDoubtToo() {
        Outcome<Object> outcome = charge().attempt(DoubtMessagesTest::loseTheAnswer);
        assertThat(outcome.message()).contains("the answer was lost").contains("is in doubt");
    }

    @Test
    void aDoubtIsOneLineOfTheLogAndItsStackIsForDebugging() {
        List<LogRecord> lines = logged(() -> charge().attempt(DoubtMessagesTest::loseTheAnswer));
        assertThat(lines)
                .filteredOn(line -> line.getLevel() == Level.WARNING)
                .singleElement()
                .satisfies(line -> {
                    assertThat(line.getThrown()).isNull();
                    assertThat(line.getMessage())
                            .startsWith("default/charge/k is in doubt: the action ended with "
                                    + IllegalStateException.class.getName()
                                    + " (the answer was lost); attempt 1, fence ")
                            .contains(", by "
                                    + charge().find()
                                            .orElseThrow()
                                            .tenure()
                                            .owner()
                                            .name())
                            .endsWith(". A person settles it: idem.resolve(entry)")
                            .hasSizeLessThan(400);
                });
        assertThat(lines).filteredOn(line -> line.getLevel() == Level.FINE).anySatisfy(line -> {
            assertThat(line.getThrown()).hasMessage("the answer was lost");
            assertThat(line.getMessage()).contains("idem.resolve(entry).by(\"NAME\")");
        });
    }

    /** The exception of a ledger names the ledger and what to do. */
    @Test
    void aProblemOfTheLedgerIsOneLineOfTheLog() {
        Throwable down = new LedgerUnavailableException("ledger shop.db is busy", null);
        List<LogRecord> lines = logged(() -> Log.warnInOneLine(() -> "no answer to the renewal", down));
        assertThat(lines)
                .extracting(LogRecord::getLevel, LogRecord::getMessage, LogRecord::getThrown)
                .containsExactly(
                        tuple(Level.WARNING, "no answer to the renewal: ledger shop.db is busy", null),
                        tuple(Level.FINE, "no answer to the renewal", down));
        Throwable ofAListener = new IllegalStateException("a mistake");
        assertThat(logged(() -> Log.warn(() -> "a listener threw", ofAListener)))
                .singleElement()
                .satisfies(line -> assertThat(line.getThrown()).isSameAs(ofAListener));
    }

    @Test
    void twoDoubtfulChargesCanBeToldApartWithoutLabelsSetByHand() {
        Operation<Object> charge = idem.operation("charge");
        charge.identity(Map.of("customer", "ann", "cents", 4200)).attempt(DoubtMessagesTest::loseTheAnswer);
        Outcome<Object> second = charge.identity(Map.of("customer", "bob", "cents", 4200))
                .label("cents", "by hand")
                .attempt(DoubtMessagesTest::loseTheAnswer);
        InDoubtException doubt = (InDoubtException) second.failure().getSuppressed()[0];
        assertThat(doubt.entry().labels()).containsEntry("customer", "bob").containsEntry("cents", "by hand");
    }

    @Test
    void fieldsThatSoundLikeSecretsAndNestedOnesAreNotKept() throws Exception {
        Outcome.Valued<Object> done = (Outcome.Valued<Object>) idem.operation("call")
                .identity(Map.of("user", "ann", "password", "s3cret", "api_key", "sk-1", "headers", Map.of("a", "b")))
                .attempt(call -> 1);
        assertThat(idem.find(done.address()).orElseThrow().labels()).containsOnly(Map.entry("user", "ann"));
    }

    @Test
    void sealedEntriesKeepNoFieldsUnlessTold() throws Exception {
        SealKeys keys = SealKeys.of("a", new byte[32]);
        try (Idem sealed =
                        Idem.builder().ledger("memory:").sealing(keys).quiet().open();
                Idem told = Idem.builder()
                        .ledger("memory:")
                        .sealing(keys)
                        .keepDetails(true)
                        .quiet()
                        .open()) {
            for (Idem each : List.of(sealed, told)) {
                Outcome.Valued<Object> done = (Outcome.Valued<Object>) each.operation("charge")
                        .identity(Map.of("customer", "ann"))
                        .attempt(call -> 1);
                assertThat(each.find(done.address()).orElseThrow().labels().containsKey("customer"))
                        .isEqualTo(each == told);
            }
        }
    }

    @Test
    void aTypeWithoutAStoredFormIsRefusedWhenItIsDeclared() {
        assertThatThrownBy(() -> charge().returning(Bean.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Make it a record");
        assertThatThrownBy(() -> charge().returning(Holder.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Bean.class.getName());
    }

    /** The first attempt may have charged. That the second did nothing is no news of the first. */
    @Test
    void aRerunThatDidNothingSaysNothingOfTheAttemptBefore() {
        charge().attempt(DoubtMessagesTest::loseTheAnswer);
        Outcome<Object> rerun = charge().policy(Policy.unset().rerunOnDoubt()).attempt(call -> {
            throw new NotExecutedException("refused");
        });
        assertThat(rerun).isInstanceOf(Outcome.InDoubt.class);
    }

    @Test
    void anErrorThatBeginsLikeASealIsReadAsTheTextItIs() {
        charge().attempt(call -> {
            throw new IllegalStateException("idem-sealed;v=1;key=a:AAAA");
        });
        try (Idem sealed = Idem.builder()
                .ledger(idem.ledger())
                .sealing(SealKeys.of("a", new byte[32]))
                .quiet()
                .open()) {
            assertThat(sealed.find(new Address("default", "charge", "k"))
                            .orElseThrow()
                            .failure()
                            .message())
                    .contains("idem-sealed;v=1;key=a:AAAA");
        }
    }

    private Operation<Object> charge() {
        return idem.operation("charge").key("k");
    }

    private static Object loseTheAnswer(dev.idem.Call call) {
        call.remoteEnded();
        throw new IllegalStateException("the answer was lost");
    }

    private static InDoubtException doubtOf(Operation<Object> operation) {
        Outcome<Object> outcome = operation.attempt(DoubtMessagesTest::loseTheAnswer);
        return (InDoubtException) outcome.failure().getSuppressed()[0];
    }

    /** The lines of this thread: other tests log at the same time. */
    private static List<LogRecord> logged(Runnable code) {
        List<LogRecord> lines = new CopyOnWriteArrayList<>();
        Thread mine = Thread.currentThread();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                if (Thread.currentThread() == mine) {
                    lines.add(line);
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("dev.idem");
        logger.setLevel(Level.FINE);
        logger.addHandler(handler);
        try {
            code.run();
        } finally {
            logger.removeHandler(handler);
            logger.setLevel(null);
        }
        return lines;
    }
}
