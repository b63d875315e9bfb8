package dev.idem.testkit.hazard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.ConflictException;
import dev.idem.Idem;
import dev.idem.NotExecutedException;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.Repeat;
import dev.idem.Reworded;
import dev.idem.testkit.EngineCase;
import dev.idem.testkit.FaultyLedger;
import dev.idem.testkit.FaultyLedger.Point;
import dev.idem.testkit.Until;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The engine on a ledger: hazards of the answers to duplicates. */
abstract class DuplicateHazards extends EngineCase {

    /**
     * Two calls with the same reworded content run at once; the first allows rewording and gets a replay, the second
     * does not. The second got the first's answer with a warning, instead of a refusal.
     */
    @Test
    void sharingTheCallOfAnotherDoesNotShareItsPolicyAboutRewording() throws InterruptedException {
        charge(idem()).identity("order").content("Dear Ann").run(call -> act());
        FaultyLedger faulty = new FaultyLedger(ledger());
        Idem idem = idem(faulty, processes().startOwner());
        AtomicReference<Outcome<String>> strict = new AtomicReference<>();
        Thread sharing = new Thread(() -> strict.set(charge(idem)
                .identity("order")
                .content("Hi Ann")
                .policy(Policy.unset().onReworded(Reworded.CONFLICT))
                .attempt(call -> act())));
        faulty.at(Point.AFTER_CLAIM, () -> {
            sharing.start();
            Until.isTrue("it waits for the first", () -> sharing.getState() == Thread.State.TIMED_WAITING);
        });

        assertThat(charge(idem)
                        .identity("order")
                        .content("Hi Ann")
                        .attempt(call -> act())
                        .replayed())
                .isTrue();
        sharing.join();

        assertThat(strict.get()).isInstanceOf(Outcome.Conflict.class);
        assertThat(effects()).isEqualTo(1);
    }

    /** The message named the content and suggested to allow rewording, which would not have helped. */
    @Test
    void anotherIdentityWithOtherContentIsToldAboutTheIdentity() {
        charge(idem()).identity("order").content("Dear Ann").run(call -> act());

        assertThatThrownBy(() -> charge(idem())
                        .identity("another order")
                        .content("Hi Ann")
                        .policy(Policy.unset().onReworded(Reworded.CONFLICT))
                        .run(call -> act()))
                .isInstanceOf(ConflictException.class)
                .hasMessageContaining("other arguments");
    }

    /** A file was set to v1, then to v2, then to v1 again: the last call was answered from the past, and v2 stayed. */
    @Test
    void aRepeatOfASettingCallRunsAgain() {
        Policy setting = Policy.idempotent().onRepeat(Repeat.RUN);

        assertThat(charge(idem()).policy(setting).run(call -> act())).isEqualTo(KEY.key() + " #1");
        assertThat(charge(idem()).policy(setting).run(call -> act())).isEqualTo(KEY.key() + " #2");
        assertThat(charge(idem()).run(call -> act())).isEqualTo(KEY.key() + " #2");
        assertThat(effects()).isEqualTo(2);
    }

    @Test
    void aSettingCallThatWaitedForAnotherGetsTheResultOfThatOne() {
        Policy setting = Policy.idempotent().onRepeat(Repeat.RUN);
        FaultyLedger watched = new FaultyLedger(ledger());
        Idem waiter = idem(watched, processes().startOwner());
        List<CompletableFuture<String>> waiting = new ArrayList<>();
        charge(idem()).policy(setting).run(call -> act());

        charge(idem()).policy(setting).run(call -> {
            waiting.add(charge(waiter).policy(setting).runAsync(other -> act()));
            Until.isTrue("it waits", () -> watched.passed(Point.BEFORE_FIND) >= 1);
            return act();
        });

        assertThat(waiting.get(0).join()).isEqualTo(KEY.key() + " #2");
        assertThat(effects()).isEqualTo(2);
    }

    /** Both have the same address, and one got the result of the other. */
    @Test
    void aKeyThatLooksLikeTheRepeatOfAnotherIsNotAnsweredWithItsResult() {
        charge(idem()).occurrence(2).run(call -> act());

        assertThatThrownBy(() -> charge(idem()).key(KEY.key() + "#2").run(call -> act()))
                .isInstanceOf(ConflictException.class);
        assertThat(charge(idem()).occurrence(2).attempt(call -> act()).replayed())
                .isTrue();
        assertThat(effects()).isEqualTo(1);
    }

    /** A waiter gave up after one read without an answer, long before its time limit. */
    @Test
    void aWaiterThatGetsNoAnswerOnceWaitsOn() {
        FaultyLedger faulty = new FaultyLedger(ledger()).fail(Point.BEFORE_FIND, 2);
        Idem waiter = idem(faulty, processes().startOwner());
        List<CompletableFuture<String>> waiting = new ArrayList<>();

        charge(idem()).run(call -> {
            waiting.add(charge(waiter).runAsync(other -> act()));
            Until.isTrue("it has looked twice, in vain", () -> faulty.passed(Point.BEFORE_FIND) >= 2);
            return act();
        });

        assertThat(waiting.get(0).join()).isEqualTo(KEY.key() + " #1");
        assertThat(effects()).isEqualTo(1);
    }

    /** It may run again the next day, but was refused after a week as if it had run. */
    @Test
    void aDestructiveOperationThatFailedLeavesNoTombstone() {
        assertThatThrownBy(() -> charge(idem()).policy(Policy.destructive()).run(call -> {
                    throw new NotExecutedException("not allowed yet");
                }))
                .isInstanceOf(NotExecutedException.class);
        pass(Duration.ofDays(8));

        assertThat(charge(idem()).policy(Policy.destructive()).run(call -> act()))
                .isEqualTo(KEY.key() + " #1");
    }

    /** A duplicate that was answered while the entry was being forgotten put it into the near cache again. */
    @Test
    void aForgottenEntryIsNotAnsweredFromTheNearCache() {
        FaultyLedger faulty = new FaultyLedger(ledger());
        Idem idem = open(cached(faulty, Duration.ofHours(1)));
        charge(idem).run(call -> act());
        faulty.at(Point.BEFORE_FORGET, () -> charge(idem).run(call -> act()));

        assertThat(idem.forget(entry())).isTrue();

        assertThat(charge(idem).attempt(call -> act()).replayed()).isFalse();
        assertThat(effects()).isEqualTo(2);
    }

    /** The answer to a duplicate was on its way when the entry was forgotten, and put it into the near cache again. */
    @Test
    void aForgottenEntryIsNotPutIntoTheNearCacheByALateAnswer() {
        charge(idem()).run(call -> act());
        FaultyLedger faulty = new FaultyLedger(ledger());
        Idem idem = open(cached(faulty, Duration.ofHours(1)));
        faulty.at(Point.AFTER_CLAIM, () -> idem.forget(entry()));

        assertThat(charge(idem).attempt(call -> act()).replayed()).isTrue();

        assertThat(charge(idem).attempt(call -> act()).replayed()).isFalse();
        assertThat(effects()).isEqualTo(2);
    }

    /** Its age counted from the time it was read, so the cache answered longer than the ledger. */
    @Test
    void anEntryInTheNearCacheAnswersNoLongerThanItIsKept() {
        AtomicLong nanos = new AtomicLong();
        charge(idem()).policy(Policy.unset().retention(Duration.ofHours(2))).run(call -> act());
        pass(Duration.ofMinutes(90));
        Idem idem = open(cached(ledger(), Duration.ofHours(1)).nanos(nanos::get));
        assertThat(charge(idem).attempt(call -> act()).message()).doesNotContain("near cache");
        assertThat(charge(idem).attempt(call -> act()).message()).contains("near cache");

        pass(Duration.ofMinutes(31));
        nanos.addAndGet(Duration.ofMinutes(31).toNanos());

        assertThat(charge(idem).attempt(call -> act()).replayed()).isFalse();
    }
}
