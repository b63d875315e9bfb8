package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.testkit.Until;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WaitTest extends ApiCase {
    private static final Address ADDRESS = new Address("default", "charge", "k");

    @Test
    void aWaitTellsTheEndOfTheAttempt() {
        Map<String, @Nullable Object> granted = granted("");
        String wait = "{'operation':'charge','key':'k','at_most_ms':1,'fence':'" + granted.get("fence") + "'}";
        assertThat(call("wait", wait)).containsEntry("answer", "in_flight");
        settle(granted, "'as':'failed','error':{'message':'no money'}");
        assertThat(call("wait", wait)).containsEntry("answer", "failed").containsEntry("failure_message", "no money");
        Map<String, @Nullable Object> second = granted("");
        assertThat(call("wait", wait)).containsEntry("answer", "claim_again");
        settle(second, "'as':'complete'");
        assertThat(call("wait", wait.replace((String) granted.get("fence"), (String) second.get("fence"))))
                .containsEntry("answer", "claim_again");
    }

    /** A transaction or a child process goes on where the entry has ended: a wait for that end would be over at once. */
    @Test
    void anAttemptThatHasEndedCantBeWaitedFor() {
        settle(granted(""), "'as':'failed'");
        Entry ended = ledger.find(ADDRESS).orElseThrow();
        assertThat(ClaimAnswers.inFlight(ended, Duration.ZERO).members()).doesNotContainKey("fence");
    }

    /** Those who waited held all threads, and the owner could not settle. */
    @Test
    void thereIsAPlaceForThoseWhoSettle() throws InterruptedException {
        Map<String, @Nullable Object> granted = granted("");
        String wait = "{'operation':'charge','key':'k','fence':'" + granted.get("fence") + "'}";
        List<Thread> waiters = new ArrayList<>();
        for (int i = 0; i < 128; i++) {
            Thread waiter = new Thread(() -> call("wait", wait));
            waiters.add(waiter);
            waiter.start();
        }
        Until.isTrue(
                "they wait", () -> waiters.stream().allMatch(each -> each.getState() == Thread.State.TIMED_WAITING));
        assertTimeoutPreemptively(
                Duration.ofSeconds(20), () -> assertThat(call("wait", wait)).containsEntry("answer", "in_flight"));
        settle(granted, "'as':'complete'");
        for (Thread waiter : waiters) {
            waiter.join();
        }
    }

    @Test
    void whoHasWaitedGetsTheResultAlsoWhereALaterCallRunsAgain() {
        String policy = ",'policy':{'side_effect':'idempotent','repeat':'run'}";
        settle(granted(policy), "'as':'complete','result':1");
        assertThat(claim(policy + ",'waited':true")).containsEntry("answer", "replay");
        granted(policy);
    }
}
