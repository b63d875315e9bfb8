package dev.idem.agent.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.idem.NotExecutedException;
import dev.idem.RemoteKeys;
import dev.idem.SideEffect;
import dev.idem.agent.retry.RetryStopped.Why;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RetryTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final SettableTiming timing = new SettableTiming();
    private final AtomicInteger tries = new AtomicInteger();
    private final Retry retry = Retry.standard().timing(timing).jitter(Jitter.NONE);

    @Test
    void aCallThatGoesWellIsNotTriedAgain() throws Exception {
        assertThat(retry.<String>call(Permit.ALWAYS, failing(0))).isEqualTo("done");
        assertThat(tries).hasValue(1);
        assertThat(timing.slept()).isEmpty();
    }

    @Test
    void aPassingFailureIsTriedAgain() throws Exception {
        assertThat(retry.<String>call(Permit.ALWAYS, failing(2))).isEqualTo("done");
        assertThat(tries).hasValue(3);
        assertThat(timing.slept()).containsExactly(SECOND, SECOND.multipliedBy(2));
    }

    @Test
    void theLastFailureIsThrownWithTheEarlierOnesAndTheReason() {
        Throwable thrown = catchThrowable(() -> retry.call(Permit.ALWAYS, failing(3)));

        assertThat(thrown).isInstanceOf(SocketTimeoutException.class).hasMessage("try 3");
        assertThat(thrown.getSuppressed())
                .filteredOn(one -> one instanceof IOException)
                .extracting(Throwable::getMessage)
                .containsExactly("try 1", "try 2");
        assertThat(why(thrown)).isEqualTo(Why.ATTEMPTS);
        assertThat(stopped(thrown).attempts()).isEqualTo(3);
        assertThat(stopped(thrown)).hasMessage("tried 3 times; not again, since that is the most there may be");
    }

    /** The refused connection alone would have said that nothing happened. */
    @Test
    void aDefiniteFailureAfterATryThatMayHaveActedLaundersNoDoubt() {
        Throwable thrown = catchThrowable(() -> retry.maxAttempts(2).call(Permit.ALWAYS, () -> {
            throw tries.incrementAndGet() == 1
                    ? new SocketTimeoutException("lost")
                    : new NotExecutedException("refused");
        }));

        assertThat(tries).hasValue(2);
        assertThat(thrown).isInstanceOf(SocketTimeoutException.class);
        assertThat(thrown.getSuppressed()).hasAtLeastOneElementOfType(NotExecutedException.class);
    }

    @Test
    void nullIsAValue() throws Exception {
        assertThat(retry.<Object>call(Permit.ALWAYS, () -> null)).isNull();
    }

    @Test
    void anUnknownFailureIsNotTriedAgain() {
        Throwable thrown = catchThrowable(() -> retry.call(Permit.ALWAYS, () -> {
            tries.incrementAndGet();
            throw new IllegalStateException("a bug");
        }));

        assertThat(tries).hasValue(1);
        assertThat(why(thrown)).isEqualTo(Why.NOT_PASSING);
    }

    @Test
    void aWriteThatTimedOutIsNotTriedAgain() {
        Throwable thrown = catchThrowable(() -> retry.call(Permit.of(SideEffect.WRITE), failing(1)));

        assertThat(tries).hasValue(1);
        assertThat(why(thrown)).isEqualTo(Why.MAY_HAVE_HAPPENED);
    }

    @Test
    void aWriteThatNeverReachedTheRemoteIsTriedAgain() throws Exception {
        Permit write = Permit.of(SideEffect.WRITE);

        assertThat(retry.<String>call(write, throwing(new ConnectException("refused"))))
                .isEqualTo("done");
        assertThat(tries).hasValue(2);
    }

    @ParameterizedTest
    @EnumSource(SideEffect.class)
    void aDestructiveCallIsNeverTriedAgainAndAnIdempotentOneAlways(SideEffect sideEffect) {
        RemoteKeys remote = new RemoteKeys("Stripe", Duration.ofHours(24));

        assertThat(Permit.of(sideEffect))
                .isEqualTo(
                        switch (sideEffect) {
                            case READ, IDEMPOTENT -> Permit.ALWAYS;
                            case WRITE -> Permit.IF_NOTHING_HAPPENED;
                            case DESTRUCTIVE -> Permit.NEVER;
                        });
        assertThat(Permit.of(sideEffect, remote))
                .isEqualTo(sideEffect == SideEffect.DESTRUCTIVE ? Permit.NEVER : Permit.ALWAYS);
        Permit both = Permit.of(sideEffect.and(SideEffect.DESTRUCTIVE), remote);
        Throwable thrown = catchThrowable(() -> retry.call(both, throwing(new ConnectException("refused"))));
        assertThat(tries).hasValue(1);
        assertThat(why(thrown)).isEqualTo(Why.SIDE_EFFECT);
    }

    @Test
    void delaysDoubleUpToTheCap() {
        assertThatThrownBy(() -> retry.maxAttempts(6)
                        .baseDelay(Duration.ofMillis(100))
                        .cap(Duration.ofMillis(500))
                        .call(Permit.ALWAYS, failing(9)))
                .isInstanceOf(SocketTimeoutException.class);

        assertThat(timing.slept()).extracting(Duration::toMillis).containsExactly(100L, 200L, 400L, 500L, 500L);
    }

    @Test
    void aDelayNeverOverflows() {
        Backoff backoff = new Backoff(Duration.ofDays(1), Duration.ofDays(1), Jitter.NONE, () -> 0);

        assertThat(backoff.after(1)).isEqualTo(Duration.ofDays(1));
        assertThat(backoff.after(64)).isEqualTo(Duration.ofDays(1));
        assertThat(backoff.after(10_000)).isEqualTo(Duration.ofDays(1));
    }

    @ParameterizedTest
    @CsvSource({"FULL, 0, 0", "FULL, 0.75, 750", "EQUAL, 0, 500", "EQUAL, 0.5, 750", "NONE, 0.5, 1000"})
    void jitterLeavesAPartToChance(Jitter jitter, double chance, long millis) throws Exception {
        retry.jitter(jitter).random(() -> chance).call(Permit.ALWAYS, failing(1));

        assertThat(timing.slept()).containsExactly(Duration.ofMillis(millis));
    }

    @Test
    void theRemotesWishIsRespectedBeyondTheCap() throws Exception {
        retry.cap(SECOND)
                .retryAfter((thrown, now) -> Optional.of(Duration.ofSeconds(20)))
                .call(Permit.ALWAYS, failing(1));

        assertThat(timing.slept()).containsExactly(Duration.ofSeconds(20));
    }

    @Test
    void aWishBeyondTheTimeForAllTriesEndsThem() {
        Throwable thrown = catchThrowable(() -> retry.retryAfter((failure, now) -> Optional.of(Duration.ofHours(3)))
                .call(Permit.ALWAYS, failing(1)));

        assertThat(why(thrown)).isEqualTo(Why.TOTAL_LIMIT);
        assertThat(timing.slept()).isEmpty();
    }

    @Test
    void noTryBeginsAfterTheTimeForAll() {
        Throwable thrown = catchThrowable(
                () -> retry.maxAttempts(100).totalLimit(Duration.ofSeconds(10)).call(Permit.ALWAYS, failing(100)));

        assertThat(timing.slept()).extracting(Duration::toSeconds).containsExactly(1L, 2L, 4L);
        assertThat(why(thrown)).isEqualTo(Why.TOTAL_LIMIT);
    }

    @Test
    void aTryThatTakesTooLongIsInterruptedAndTriedAgain() throws Exception {
        String value = retry.attemptLimit(SECOND).call(Permit.ALWAYS, () -> {
            if (tries.incrementAndGet() == 1) {
                timing.advance(SECOND);
                assertThat(Thread.interrupted()).isTrue();
                throw new InterruptedException("as asked");
            }
            return "done";
        });

        assertThat(value).isEqualTo("done");
        assertThat(tries).hasValue(2);
        assertThat(timing.alarms()).isZero();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void aTryThatTookTooLongMayHaveHappened() {
        Throwable thrown = catchThrowable(() -> retry.attemptLimit(SECOND).call(Permit.of(SideEffect.WRITE), () -> {
            timing.advance(SECOND);
            throw new ConnectException("after the interrupt nothing is sure");
        }));

        assertThat(thrown).isInstanceOf(AttemptTimeoutException.class);
        assertThat(why(thrown)).isEqualTo(Why.MAY_HAVE_HAPPENED);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void aTryThatEndsWellInSpiteOfItsLimitHasSucceeded() throws Exception {
        String value = retry.attemptLimit(SECOND).call(Permit.ALWAYS, () -> {
            timing.advance(Duration.ofMinutes(1));
            return "late but done";
        });

        assertThat(value).isEqualTo("late but done");
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void theLimitOfTheMachinesOwnTimeInterrupts() {
        Retry real = Retry.none().attemptLimit(Duration.ofMillis(1));

        assertThatThrownBy(() -> real.call(Permit.ALWAYS, () -> {
                    synchronized (this) {
                        while (true) {
                            wait();
                        }
                    }
                }))
                .isInstanceOf(AttemptTimeoutException.class)
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void anInterruptEndsTheWaiting() {
        Throwable thrown = catchThrowable(() -> retry.call(Permit.ALWAYS, () -> {
            Thread.currentThread().interrupt();
            throw new SocketTimeoutException();
        }));

        assertThat(why(thrown)).isEqualTo(Why.INTERRUPTED);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aBudgetIsSharedByAllTools() throws Exception {
        Retry shared = retry.budget(RetryBudget.of(3, 0.5));
        assertThatThrownBy(() -> shared.call(Permit.ALWAYS, failing(9))).isInstanceOf(IOException.class);
        tries.set(0);
        Throwable thrown = catchThrowable(() -> shared.call(Permit.ALWAYS, failing(9)));

        assertThat(tries).hasValue(2);
        assertThat(why(thrown)).isEqualTo(Why.BUDGET);

        shared.call(Permit.ALWAYS, () -> "well");
        shared.call(Permit.ALWAYS, () -> "well");
        tries.set(0);
        assertThat(shared.<String>call(Permit.ALWAYS, failing(1))).isEqualTo("done");
    }

    @Test
    void aBudgetNeverHoldsMoreThanItDidAtTheStart() throws Exception {
        RetryBudget budget = RetryBudget.of(2, 1);
        for (int i = 0; i < 10; i++) {
            retry.budget(budget).call(Permit.ALWAYS, () -> "well");
        }

        assertThat(budget.left()).isEqualTo(2);
    }

    @Test
    void listenersSeeEverythingAndHarmNothing() throws Exception {
        List<String> seen = new ArrayList<>();
        RetryListener listener = new RetryListener() {
            @Override
            public void retrying(int attempt, Throwable failure, Duration delay) {
                seen.add(attempt + " " + failure.getMessage() + " " + delay);
            }

            @Override
            public void stopped(Throwable failure, RetryStopped why) {
                seen.add(why.why().word());
            }

            @Override
            public void recovered(int attempts) {
                seen.add("recovered " + attempts);
                throw new IllegalStateException("a listener's own trouble");
            }
        };
        retry.listener(listener).call(Permit.ALWAYS, failing(1));
        tries.set(0);
        assertThatThrownBy(() -> retry.listener(listener).call(Permit.NEVER, failing(1)))
                .isInstanceOf(IOException.class);

        assertThat(seen).containsExactly("1 try 1 PT1S", "recovered 2", "side_effect");
    }

    @Test
    void limitsThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> retry.maxAttempts(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> retry.baseDelay(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> retry.totalLimit(Duration.ofDays(2))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RetryBudget.of(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RetryBudget.of(1, Double.NaN)).isInstanceOf(IllegalArgumentException.class);
    }

    private Callable<String> failing(int times) {
        return () -> {
            if (tries.incrementAndGet() <= times) {
                throw new SocketTimeoutException("try " + tries);
            }
            return "done";
        };
    }

    private Callable<String> throwing(Exception... failures) {
        return () -> {
            if (tries.incrementAndGet() <= failures.length) {
                throw failures[tries.get() - 1];
            }
            return "done";
        };
    }

    private static Why why(Throwable thrown) {
        return stopped(thrown).why();
    }

    private static RetryStopped stopped(Throwable thrown) {
        Stream<Throwable> suppressed = Arrays.stream(thrown.getSuppressed());
        return (RetryStopped) suppressed
                .filter(one -> one instanceof RetryStopped)
                .findFirst()
                .orElseThrow();
    }
}
