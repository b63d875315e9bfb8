package dev.idem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Classifier.Judgement;
import dev.idem.spi.Retention;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class PolicyTest {
    private static final RemoteKeys STRIPE = new RemoteKeys("stripe", Duration.ofHours(24));

    private static RemoteKeys remote(String name) {
        if (!name.equals("stripe")) {
            throw new IllegalArgumentException("no remote is called '" + name + "'");
        }
        return STRIPE;
    }

    @Test
    void whatIsNotSetHasItsDefault() {
        Policy policy = Policy.unset();
        assertThat(policy.sideEffect()).isEqualTo(SideEffect.WRITE);
        assertThat(policy.lease()).isEqualTo(Duration.ofSeconds(30));
        assertThat(policy.timeLimit()).isEqualTo(Duration.ofMinutes(5));
        assertThat(policy.waitFor()).isEqualTo(Duration.ofSeconds(10));
        assertThat(policy.retention()).isEqualTo(Retention.DEFAULT);
        assertThat(policy.onDoubt()).isNull();
        assertThat(policy.safeToRerun()).isFalse();
        assertThat(policy.keepsFailures() || policy.isStaged() || policy.isInterruptible() || policy.needsApproval())
                .isFalse();
    }

    @Test
    void aWitherChangesNothingButItsCopy() {
        Policy write = Policy.write();
        Policy staged = write.staged().timeLimit(Duration.ofSeconds(5));
        assertThat(write).isEqualTo(Policy.of(SideEffect.WRITE)).isNotEqualTo(staged);
        assertThat(staged.isStaged()).isTrue();
        assertThat(staged.timeLimit()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void whatDestroysNeverWaitsKeepsATombstoneAndIsNotRunAgain() {
        Policy policy = Policy.destructive()
                .waitFor(Duration.ofSeconds(5))
                .retention(Duration.ofDays(2))
                .rerunOnDoubt();
        assertThat(policy.waitFor()).isZero();
        assertThat(policy.retention()).isEqualTo(new Retention(Duration.ofDays(2), Duration.ofDays(2)));
        assertThat(policy.retention(Retention.of(Duration.ofDays(2)))
                        .retention()
                        .tombstone())
                .isZero();
        assertThat(policy.safeToRerun()).isFalse();
    }

    @Test
    void whatIsSetAboveWinsAndTheRestComesFromBelow() {
        Policy below = Policy.unset().lease(Duration.ofSeconds(9)).waitFor(Duration.ofSeconds(1));
        Policy above = Policy.unset().waitFor(Duration.ofSeconds(2)).keepFailures();
        Policy both = above.over(below);
        assertThat(both.lease()).isEqualTo(Duration.ofSeconds(9));
        assertThat(both.waitFor()).isEqualTo(Duration.ofSeconds(2));
        assertThat(both.keepsFailures()).isTrue();
        assertThat(below.keepsFailures()).isFalse();
    }

    @Test
    void sideEffectDoubtAndApprovalOnlyGetStricter() {
        Policy strict = Policy.destructive().onDoubt(OnDoubt.HALT).approval();
        Policy lax = Policy.idempotent().rerunOnDoubt();
        for (Policy both : new Policy[] {strict.over(lax), lax.over(strict)}) {
            assertThat(both.sideEffect()).isEqualTo(SideEffect.DESTRUCTIVE);
            assertThat(both.onDoubt()).isEqualTo(OnDoubt.HALT);
            assertThat(both.needsApproval()).isTrue();
        }
        assertThat(lax.over(Policy.unset()).sideEffect())
                .as("nothing was declared below")
                .isEqualTo(SideEffect.IDEMPOTENT);
    }

    /** A read runs without a claim, so not every surface would ask. */
    @Test
    void aReadThatNeedsAnApprovalIsRefusedInOneDeclarationAndNotInLayers() {
        for (ThrowingCallable declared : List.<ThrowingCallable>of(
                () -> Policy.read().approval(),
                () -> Policy.unset().approval().sideEffect(SideEffect.READ),
                () -> Policy.parse("side_effect: read\napproval: true", PolicyTest::remote),
                () -> Policy.parse("approval: true\nretention: 1h\nside_effect: read", PolicyTest::remote))) {
            assertThatThrownBy(declared)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("remove the approval")
                    .hasMessageContaining("declare side_effect: write");
        }
        assertThat(Policy.parse("side_effect: read\napproval: false", PolicyTest::remote)
                        .needsApproval())
                .isFalse();
        Policy all = Policy.unset().approval();
        assertThat(Policy.read().over(all).retention(Duration.ofHours(1)).sideEffect())
                .isEqualTo(SideEffect.READ);
    }

    @Test
    void classifiersOfBothAreAskedTheUpperFirst() {
        Policy below = Policy.unset().definiteOn(IOException.class);
        Policy above = Policy.unset()
                .classify(
                        thrown -> thrown instanceof FileNotFoundException ? Judgement.AMBIGUOUS : Judgement.UNDECIDED);
        Policy both = above.over(below);
        assertThat(both.classifier().judge(new FileNotFoundException())).isEqualTo(Judgement.AMBIGUOUS);
        assertThat(both.classifier().judge(new ConnectException())).isEqualTo(Judgement.DEFINITE);
        assertThat(both.classifier().judge(new IllegalStateException())).isEqualTo(Judgement.UNDECIDED);
    }

    @Test
    void everyOptionIsReadFromText() {
        String text = """
                side_effect: idempotent
                lease: 20s
                time_limit: 2m
                wait: 500ms
                retention: 3d
                tombstone: 24h
                on_doubt: probe
                probe_grace: PT10S
                passes_key_to: stripe
                definite_on: java.net.ConnectException, java.io.IOException
                keep_failures: true
                staged: true
                reworded: conflict
                repeat: run
                interrupt: true
                retry: 4
                approval: false
                transaction: join
                """;
        assertThat(text.lines().map(line -> line.split(":")[0]))
                .containsExactlyInAnyOrderElementsOf(Stream.of(PolicyOption.values())
                        .map(option -> option.name().toLowerCase(Locale.ROOT))
                        .toList());
        Policy policy = Policy.parse(text, PolicyTest::remote);
        assertThat(policy.sideEffect()).isEqualTo(SideEffect.IDEMPOTENT);
        assertThat(policy.lease()).isEqualTo(Duration.ofSeconds(20));
        assertThat(policy.timeLimit()).isEqualTo(Duration.ofMinutes(2));
        assertThat(policy.waitFor()).isEqualTo(Duration.ofMillis(500));
        assertThat(policy.retention()).isEqualTo(new Retention(Duration.ofDays(3), Duration.ofDays(1)));
        assertThat(policy.onDoubt()).isEqualTo(OnDoubt.PROBE);
        assertThat(policy.probeGrace()).isEqualTo(Duration.ofSeconds(10));
        assertThat(policy.passesKeyTo()).isEqualTo(STRIPE);
        assertThat(policy.classifier().judge(new ConnectException())).isEqualTo(Judgement.DEFINITE);
        assertThat(policy.classifier().judge(new RuntimeException())).isEqualTo(Judgement.UNDECIDED);
        assertThat(policy.keepsFailures() && policy.isStaged() && policy.isInterruptible())
                .isTrue();
        assertThat(policy.onReworded()).isEqualTo(Reworded.CONFLICT);
        assertThat(policy.onRepeat()).isEqualTo(Repeat.RUN);
        assertThat(policy.retry()).isEqualTo(4);
        assertThat(policy.needsApproval()).isFalse();
        assertThat(policy.transaction()).isEqualTo(TransactionMode.JOIN);
    }

    @Test
    void theOptionsOfASessionCanBeTakenOut() {
        Policy policy = Policy.write().retry(2).approval().keepFailures();
        assertThat(policy.withoutSessionOptions()).isEqualTo(Policy.write().keepFailures());
    }

    @Test
    void aTextThatIsNoPolicySaysWhatWouldBe() {
        assertRefused("side_effects: write", "'side_effects' is not known; use side_effect, lease, time_limit");
        assertRefused("side_effect: writes", "'writes' is not known; use read, idempotent, write, destructive");
        assertRefused("lease: soon", "lease: 'soon' is no duration; write for instance 500ms");
        assertRefused("lease: 0s", "must be positive");
        assertRefused("lease: 99999999999999999999d", "is no duration");
        assertRefused("retry: often", "retry: 'often' is no number");
        assertRefused("retry: 0", "tried at least once");
        assertRefused("staged: yes", "staged: 'yes' is neither true nor false");
        assertRefused("lease: 1s\nlease: 2s", "'lease' is there twice");
        assertRefused("passes_key_to: acme", "no remote is called 'acme'");
    }

    private static void assertRefused(String text, String message) {
        assertThatThrownBy(() -> Policy.parse(text, PolicyTest::remote))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
