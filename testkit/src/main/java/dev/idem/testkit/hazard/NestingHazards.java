package dev.idem.testkit.hazard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.idem.Address;
import dev.idem.Classifier;
import dev.idem.Idem;
import dev.idem.InDoubtException;
import dev.idem.NotExecutedException;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.Probe;
import dev.idem.SelfWaitException;
import dev.idem.State;
import dev.idem.WaitInterruptedException;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fingerprints;
import dev.idem.testkit.EngineCase;
import dev.idem.testkit.FaultyLedger;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The engine on a ledger: hazards of operations inside operations. */
abstract class NestingHazards extends EngineCase {
    private static final Address MAIL = KEY.withOperation("mail");
    private static final Address TEXT = KEY.withOperation("text");

    /**
     * The mail fails, then the text message that should replace it, and the action throws the failure of the mail. Only
     * the last failure of an inner operation was remembered, so the failure of the mail counted as the outer action's
     * own, although the action had acted: it failed, and would have run again.
     */
    @Test
    void anEarlierInnerFailureThatIsPassedOnProvesNothingAboutTheOuter() {
        Idem idem = idem();

        assertThatThrownBy(() -> charge(idem).run(call -> {
                    act();
                    try {
                        return failing(idem, MAIL);
                    } catch (NotExecutedException noMail) {
                        assertThatThrownBy(() -> failing(idem, TEXT)).isInstanceOf(NotExecutedException.class);
                        throw noMail;
                    }
                }))
                .isInstanceOf(NotExecutedException.class)
                .hasMessageContaining(MAIL.operation());

        assertThat(entry().state()).isEqualTo(State.IN_DOUBT);
    }

    /**
     * The inner operation is in doubt, and the outer one has declared its exception type definite. The outer one was
     * recorded as "nothing happened", although both may have acted.
     */
    @Test
    void anInnerFailureOfAKindThatTheOuterDeclaresDefiniteProvesNothingAboutTheOuter() {
        Idem idem = idem();

        Outcome<String> outcome = charge(idem)
                .policy(Policy.unset().definiteOn(IOException.class))
                .attempt(call -> {
                    act();
                    return operation(idem, MAIL).run(mail -> {
                        throw new IOException("response lost");
                    });
                });

        assertThat(entry(MAIL).state()).isEqualTo(State.IN_DOUBT);
        assertThat(entry().state()).isEqualTo(State.IN_DOUBT);
        assertThat(outcome).isInstanceOf(Outcome.InDoubt.class);
    }

    /**
     * The failure of an inner operation is wrapped, for instance by a future, and the outer one's classifier reads
     * causes. It counted as the outer action's own failure, although the action had acted: it failed, and would have
     * run again.
     */
    @Test
    void anInnerFailureThatIsWrappedProvesNothingAboutTheOuter() {
        Idem idem = idem();
        Classifier byCause = thrown -> thrown.getCause() instanceof ConnectException
                ? Classifier.Judgement.DEFINITE
                : Classifier.Judgement.UNDECIDED;

        Outcome<String> outcome = charge(idem)
                .policy(Policy.unset().classify(byCause))
                .attempt(call -> {
                    act();
                    return operation(idem, MAIL)
                            .policy(Policy.unset().definiteOn(ConnectException.class))
                            .runAsync(mail -> {
                                throw new ConnectException("refused");
                            })
                            .join();
                });

        assertThat(entry(MAIL).state()).isEqualTo(State.FAILED);
        assertThat(entry().state()).isEqualTo(State.IN_DOUBT);
        assertThat(outcome).isInstanceOf(Outcome.InDoubt.class);
    }

    /**
     * The inner call is refused before it begins, with an exception type that the outer one has declared definite. It
     * counted as the outer action's own failure, although the action had acted: it failed, and would have run again.
     */
    @Test
    void anInnerCallThatIsRefusedProvesNothingAboutTheOuter() {
        Idem idem = idem();

        Outcome<String> outcome = charge(idem)
                .policy(Policy.unset().definiteOn(IllegalArgumentException.class))
                .attempt(call -> {
                    act();
                    return idem.operation("mail")
                            .key("no key of visible characters")
                            .returning(String.class)
                            .run(mail -> act());
                });

        assertThat(outcome.failure()).isInstanceOf(IllegalArgumentException.class);
        assertThat(entry().state()).isEqualTo(State.IN_DOUBT);
    }

    /** An action's wait for another operation was interrupted, and the exception counted as the action's own. */
    @Test
    void anInnerWaitThatIsInterruptedProvesNothingAboutTheOuter() {
        Idem idem = idem();
        granted(ClaimRequest.of(
                nextAttempt(), MAIL, Fingerprints.NONE, processes().startOwner()));

        Outcome<String> outcome = charge(idem)
                .policy(Policy.unset().definiteOn(WaitInterruptedException.class))
                .attempt(call -> {
                    act();
                    Thread.currentThread().interrupt();
                    return operation(idem, MAIL)
                            .policy(Policy.unset().waitFor(Duration.ofSeconds(30)))
                            .run(mail -> act());
                });

        assertThat(Thread.interrupted()).isTrue();
        assertThat(outcome.failure()).isInstanceOf(WaitInterruptedException.class);
        assertThat(entry().state()).isEqualTo(State.IN_DOUBT);
    }

    /**
     * The action makes its inner calls in other threads, as a parallel stream does, which do not know the outer
     * operation, and throws the exception of one of them. It counted as the outer action's own, although it had acted.
     */
    @Test
    void anInnerFailureOfAThreadOfTheActionProvesNothingAboutTheOuter() {
        Idem idem = idem();

        assertThatThrownBy(() -> charge(idem).run(call -> {
                    act();
                    AtomicReference<NotExecutedException> failure = new AtomicReference<>();
                    Thread thread = new Thread(() -> {
                        try {
                            failing(idem, MAIL);
                        } catch (NotExecutedException noMail) {
                            failure.set(noMail);
                        }
                    });
                    thread.start();
                    thread.join();
                    throw Objects.requireNonNull(failure.get());
                }))
                .isInstanceOf(NotExecutedException.class);

        assertThat(entry().state()).isEqualTo(State.IN_DOUBT);
    }

    /** Several calls may throw the same exception one after another, and it counts for each of them. */
    @Test
    void whatAnEarlierCallThrewIsTheWordOfALaterOneThatThrowsItToo() {
        Idem idem = idem();
        NotExecutedException same = new NotExecutedException("not today");

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> charge(idem).run(call -> {
                        throw same;
                    }))
                    .isSameAs(same);
            assertThat(entry().state()).isEqualTo(State.FAILED);
        }
    }

    /** The outer action's own code says that nothing happened, with the inner failure as the cause. */
    @Test
    void anOuterActionThatSaysItDidNothingIsBelievedAlsoWithAnInnerFailureAsTheCause() {
        Idem idem = idem();

        assertThatThrownBy(() -> charge(idem).run(call -> {
                    try {
                        return failing(idem, MAIL);
                    } catch (NotExecutedException noMail) {
                        throw new NotExecutedException("not without a mail", noMail);
                    }
                }))
                .isInstanceOf(NotExecutedException.class);

        assertThat(entry().state()).isEqualTo(State.FAILED);
    }

    /**
     * The outer operation has ended when an inner one in another thread asks for its result. The call was refused as a
     * wait for itself, although nothing was left to wait for.
     */
    @Test
    void anInnerOperationThatOutlivesTheOuterMayAskForItsResult() {
        Idem idem = idem();
        CountDownLatch ended = new CountDownLatch(1);
        AtomicReference<CompletableFuture<String>> inner = new AtomicReference<>();
        charge(idem).run(call -> {
            inner.set(operation(idem, MAIL).runAsync(mail -> {
                ended.await();
                return charge(idem).run(again -> act());
            }));
            return act();
        });
        ended.countDown();

        assertThat(Objects.requireNonNull(inner.get()).join()).isEqualTo(KEY.key() + " #1");
        assertThat(effects()).isEqualTo(1);
    }

    /** Idem was closed while an operation ran; its next inner call was refused, and the operation ended in doubt. */
    @Test
    void closedWhileTheOuterRunsItsInnerOperationsStillRun() throws InterruptedException {
        Idem idem = open(builder(ledger(), processes().startOwner()).closeWait(Duration.ofSeconds(30)));
        Thread closer = new Thread(idem::close);

        String value = charge(idem).run(call -> {
            closer.start();
            Until.isTrue("new calls are refused", () -> refusesNewCalls(idem));
            return operation(idem, MAIL).run(mail -> act());
        });
        closer.join();

        assertThat(value).isEqualTo(KEY.key() + " #1");
        assertThat(entry().state()).isEqualTo(State.COMPLETE);
        assertThat(entry(MAIL).parent()).isEqualTo(KEY);
    }

    /**
     * Idem was closed while a claim was on its way. The close did not wait for that call: the ledger was closed, and
     * the key lapsed into doubt although nothing had run.
     */
    @Test
    void closedWhileACallClaimsItIsWaitedForLikeOneThatRuns() throws InterruptedException {
        CountDownLatch claimed = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        FaultyLedger slow = new FaultyLedger(ledger()).at(FaultyLedger.Point.AFTER_CLAIM, () -> {
            claimed.countDown();
            uninterruptibly(answered);
        });
        Idem idem = open(builder(slow, processes().startOwner()).closeWait(Duration.ofSeconds(30)));
        CompletableFuture<String> value =
                CompletableFuture.supplyAsync(() -> charge(idem).run(call -> act()));
        claimed.await();
        Thread closer = new Thread(idem::close);
        closer.start();
        Until.isTrue(
                "it waits, or has closed", () -> closer.getState() == Thread.State.TIMED_WAITING || !closer.isAlive());
        answered.countDown();

        assertThat(value.join()).isEqualTo(KEY.key() + " #1");
        closer.join();
        assertThat(entry().state()).isEqualTo(State.COMPLETE);
    }

    /** A probe that runs its own operation waited for itself until the wait timed out. */
    @Test
    void aProbeThatRunsTheOperationItIsAboutIsRefusedAtOnce() {
        granted(request(Fingerprints.NONE));
        passLimit();
        Idem idem = idem();
        AtomicReference<Throwable> refusal = new AtomicReference<>();

        assertThatThrownBy(() -> charge(idem)
                        .probe(doubted -> {
                            refusal.set(catchThrowable(() -> charge(idem).run(again -> act())));
                            return Probe.Verdict.unknown();
                        })
                        .run(call -> act()))
                .isInstanceOf(InDoubtException.class);

        assertThat(refusal.get()).isInstanceOf(SelfWaitException.class);
        assertThat(effects()).isZero();
    }

    private static void uninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean refusesNewCalls(Idem idem) {
        CompletableFuture<Outcome<String>> fresh =
                CompletableFuture.supplyAsync(() -> operation(idem, TEXT).attempt(call -> "not closed yet"));
        return catchThrowable(fresh::join) != null;
    }

    private static String failing(Idem idem, Address address) {
        return operation(idem, address).run(call -> {
            throw new NotExecutedException("no " + address.operation() + " today");
        });
    }
}
