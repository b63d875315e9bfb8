package dev.idem.server.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import dev.idem.testkit.LogLines;
import dev.idem.testkit.Until;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Receivers that are away, slow, say no, or send elsewhere. */
@Timeout(180)
class ReceiverTroubleTest extends NoticeCase {
    private final AtomicInteger asked = new AtomicInteger();

    private void answer(int... statuses) {
        receiver.status = () -> statuses[Math.min(asked.getAndIncrement(), statuses.length - 1)];
    }

    private List<String> warnings(LogLines log) {
        return log.warnings().stream()
                .filter(line -> line.contains("127.0.0.1"))
                .toList();
    }

    @Test
    void aWebhookThatFailsGetsTheSameMessageAgainAndTheLogSaysItOnce() {
        answer(500, 503, 302, 429, 204);
        doubt("k1");
        try (LogLines log = LogLines.of("dev.idem")) {
            tell(receiver.webhook());
            Until.isTrue("tried five times", () -> receiver.got.size() == 5);
            doubt("k2");
            Until.isTrue("told", () -> receiver.keys().contains("k2"));
            assertThat(warnings(log)).hasSize(1);
            assertThat(warnings(log).get(0)).contains("it answered 500").doesNotContain("s3cret");
        }
        assertThat(receiver.got.subList(0, 5)).allMatch(Receiver.Got::isSigned);
        assertThat(receiver.got.subList(0, 5).stream().map(Receiver.Got::id).distinct())
                .hasSize(1);
        assertThat(receiver.got.subList(0, 5).stream().map(Receiver.Got::text).distinct())
                .hasSize(1);
        assertThat(receiver.keys()).containsExactly("k1", "k1", "k1", "k1", "k1", "k2");
    }

    @Test
    void whatComesWhileAReceiverIsAwayIsOneMessageLater() {
        AtomicInteger status = new AtomicInteger(503);
        receiver.status = status::get;
        doubt("k1");
        tell(receiver.webhook());
        Until.isTrue("tried", () -> !receiver.got.isEmpty());
        doubts(7, "later");
        // A look that began before the last doubt knows only some of them. It is over when the third try comes.
        int tries = receiver.got.size();
        Until.isTrue("tried three times more", () -> receiver.got.size() >= tries + 3);
        status.set(204);
        Until.isTrue(
                "told", () -> receiver.got.get(receiver.got.size() - 1).text().contains("7 calls need a person"));
    }

    @Test
    void aMessageThatIsRefusedTenTimesIsDropped() {
        answer(400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 204);
        doubt("k1");
        tell(receiver.webhook());
        Until.isTrue("dropped", () -> receiver.got.size() == 10);
        doubt("k2");
        Until.isTrue("told", () -> receiver.keys().contains("k2"));
        assertThat(receiver.keys().stream().filter("k1"::equals)).hasSize(10);
    }

    @Test
    void aReceiverThatIsGoneGetsNothingMore() {
        answer(410);
        doubt("k1");
        try (LogLines log = LogLines.of("dev.idem");
                Receiver other = new Receiver()) {
            tell(receiver.webhook(), other.webhook());
            Until.isTrue("told", () -> other.got.size() == 1 && receiver.got.size() == 1);
            doubt("k2");
            Until.isTrue("told", () -> other.got.size() == 2);
            Until.isTrue("said", () -> warnings(log).stream().anyMatch(line -> line.contains("wants no more notices")));
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
        assertThat(receiver.got).hasSize(1);
    }

    @Test
    void slackGetsAMessageWithoutAnAnswerOnceAndOneThatItRefusedAgain() {
        answer(500, 429, 200);
        doubt("k1");
        Notices first = tell(receiver.slack());
        Until.isTrue("told", () -> receiver.got.size() == 1);
        doubt("k2");
        Until.isTrue("told", () -> receiver.got.size() == 3);
        first.close();
        assertThat(receiver.got.get(0).text()).contains("key k1");
        assertThat(receiver.got.subList(1, 3)).allMatch(got -> got.text().contains("key k2"));
    }

    @Test
    void textFromOutsideIsNoLinkInSlackAndMentionsNobody() {
        doubt("a & b", "<!channel>\u202e", "<https://evil.example|x>");
        tell(receiver.slack());
        Until.isTrue("told", () -> receiver.got.size() == 1);
        String text = String.valueOf(receiver.got.get(0).json().get("text"));
        assertThat(text)
                .startsWith("&lt;!channel&gt;? is in doubt: ")
                .contains("scope a &amp; b, key &lt;https://evil.example|x&gt;")
                .endsWith("&amp;key=%3Chttps%3A%2F%2Fevil.example%7Cx%3E|Look at it>");
        assertThat(text.chars().filter(c -> c == '<')).hasSize(1);
    }

    @Test
    void theEndDoesNotWaitForASlowReceiver() {
        CountDownLatch never = new CountDownLatch(1);
        receiver.status = () -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return 204;
        };
        doubt("k1");
        Notices notices = tell(receiver.webhook());
        Until.isTrue("it is being sent", () -> receiver.got.size() == 1);
        long began = System.nanoTime();
        notices.close();
        // Three seconds on an idle machine; the receiver would be given fifteen.
        assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began)).isLessThan(12);
        never.countDown();
        receiver.status = () -> 204;
        tell(receiver.webhook());
        Until.isTrue("told again", () -> receiver.got.size() == 2);
        assertThat(receiver.got.get(1).id()).isEqualTo(receiver.got.get(0).id());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://hooks.example.com/s3cret",
                "https://ann:s3cret@hooks.example.com/",
                "https:///s3cret",
                "https://hooks.example.com/#s3cret",
                "http://127.0.0.1.evil.example/s3cret",
                "ftp://127.0.0.1/s3cret",
                "s3cret | s3cret"
            })
    void anAddressThatWouldGiveItsSecretAwayIsRefusedWithoutShowingIt(String url) {
        for (Throwable thrown :
                List.of(refused(() -> Channel.slack(url)), refused(() -> Channel.webhook(url, Receiver.SECRET)))) {
            assertThat(thrown).isInstanceOf(IllegalArgumentException.class);
            assertThat(thrown.toString() + thrown.getCause()).doesNotContain("s3cret");
        }
    }

    private static Throwable refused(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            return e;
        }
        return new AssertionError("not refused");
    }

    @Test
    void aSigningSecretOfAnotherFormIsRefusedWithoutShowingIt() {
        assertThatThrownBy(() -> Channel.webhook("https://hooks.example.com/", "whsec_s3cret!"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void addressesAreNowhereInTheLedgerAndNotInNames() {
        doubt("k1");
        tell(receiver.webhook(), receiver.slack());
        Until.isTrue("told", () -> receiver.got.size() == 2);
        assertThat(receiver.webhook() + " " + receiver.slack())
                .isEqualTo("the webhook at 127.0.0.1 Slack at 127.0.0.1");
        for (Entry entry :
                ledger.as(Browsable.class).orElseThrow().browse(Query.all()).entries()) {
            assertThat(entry.address() + " " + entry.labels() + entry.settlement())
                    .doesNotContain("s3cret-path")
                    .doesNotContain(Receiver.SECRET);
        }
    }

    @Test
    void aDoubtThatAProbeLeftOrThatComesBackSoonIsTheSameOne() {
        Need need = new Need(
                Kind.IN_DOUBT, new Address("s", "charge", "k"), "7", Instant.EPOCH, "it is not known", Map.of());
        Need other = new Need(
                Kind.IN_DOUBT, new Address("s", "charge", "k"), "8", Instant.EPOCH, "it is not known", Map.of());
        Instant monday = Instant.parse("2026-03-02T12:00:00Z");
        Batch first = next(Batch.NONE, monday, need);
        assertThat(first.next("2", monday, List.of(need), null)).isNull();
        // It is gone when another one is told, and is there again a day later.
        Batch second = next(first, monday, other);
        assertThat(second.next("3", monday.plusSeconds(86_400), List.of(need, other), null))
                .isNull();
        Batch third = next(
                second,
                monday.plusSeconds(3 * 86_400),
                other,
                new Need(Kind.HELD, need.address(), "9", Instant.EPOCH, "", Map.of()));
        assertThat(third.told()).hasSize(2).doesNotContainKey(need.id());
    }

    private static Batch next(Batch before, Instant now, Need... needs) {
        String text = before.next("id", now, List.of(needs), null);
        return Batch.read(before.number() + 1, String.valueOf(text));
    }
}
