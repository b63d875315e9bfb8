package dev.idem.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Idem;
import dev.idem.NotExecutedException;
import dev.idem.Policy;
import dev.idem.RemoteKeys;
import dev.idem.agent.ensure.Ensure;
import dev.idem.agent.ensure.Ensured;
import dev.idem.agent.inbox.Delivery;
import dev.idem.agent.inbox.Event;
import dev.idem.agent.inbox.Inbox;
import dev.idem.agent.retry.Retry;
import dev.idem.agent.session.Session;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.testkit.Race;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Six things that go wrong when agents retry. Each test first makes the mistake, and sees it take effect more than once;
 * then it does the same with Idem.
 */
class AgentSymptomsTest {
    private static final RemoteKeys PAYMENTS = new RemoteKeys("payments", Duration.ofHours(24));
    private static final List<String> USERS = List.of("ann", "bob", "cyd");

    private final Outside naive = new Outside();
    private final Outside outside = new Outside();
    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        idem.close();
    }

    /** Retries as frameworks and clients do: after every exception. */
    private static void retrying(Callable<?> step) throws Exception {
        try {
            step.call();
        } catch (IOException | RuntimeException e) {
            step.call();
        }
    }

    @Test
    void customerChargedTwiceAfterNetworkTimeoutOnPaymentCall() throws Exception {
        naive.loses(new SocketTimeoutException("no answer"));
        retrying(() -> naive.act("charge cus_1", UUID.randomUUID().toString()));
        assertThat(naive.effects()).hasSize(2);

        outside.loses(new SocketTimeoutException("no answer"));
        Tool charge = Tool.named("charge")
                .policy(Policy.write().passesKeyTo(PAYMENTS))
                .retry(Retry.standard().baseDelay(Duration.ofMillis(1)))
                .run((call, in) -> outside.act("charge " + in.text("customer"), call.key()));
        ToolAnswer answer = Session.of(idem, "order-7", charge).call("charge", Map.of("customer", "cus_1"));

        assertThat(answer.value()).isEqualTo("charge cus_1 #1");
        assertThat(outside.effects()).containsExactly("charge cus_1");
    }

    @Test
    void twoWelcomeEmailsSentToTheSameUserOnRetry() throws Exception {
        naive.loses(new SocketTimeoutException("no answer"));
        retrying(() -> naive.act("welcome ann"));
        assertThat(naive.effects()).hasSize(2);

        outside.loses(new SocketTimeoutException("no answer"));
        Tool mail = Tool.named("send_email")
                .identity("to", "subject")
                .run((call, in) -> outside.act(in.text("subject") + " " + in.text("to")));
        Session session = Session.of(idem, "signup-ann", mail);
        Map<String, String> welcome = Map.of("to", "ann", "subject", "welcome", "body", "Hello");

        // It is unknown whether it was sent, so the retry is told that, and sends nothing.
        assertThatThrownBy(
                        () -> retrying(() -> session.call("send_email", welcome).value()))
                .hasMessageContaining("'send_email' was not called")
                .hasMessageContaining("it is unknown whether that took effect");
        assertThat(outside.effects()).containsExactly("welcome ann");
        assertThat(session.report().toString()).contains("1 duplicate prevented");
    }

    @Test
    void databaseEndsUpWithDuplicateOrderRecords() {
        CyclicBarrier bothHaveLooked = new CyclicBarrier(2);
        Race.of(2, () -> {
            boolean absent = naive.find("order 7").isEmpty();
            bothHaveLooked.await();
            return absent ? naive.act("order 7") : "there";
        });
        assertThat(naive.effects()).hasSize(2);

        List<Ensured<String>> ensured = Race.of(
                2,
                () -> Ensure.of(idem, "create_order")
                        .identity(Map.of("order", 7))
                        .returning(String.class)
                        .unless(() -> outside.find("order 7"))
                        .then(call -> outside.act("order 7")));

        assertThat(ensured).extracting(Ensured::reason).containsExactlyInAnyOrder("created", "already_exists");
        assertThat(outside.effects()).containsExactly("order 7");
    }

    @Test
    void retryAfterRateLimitCausesDoubleBooking() throws Exception {
        RateLimit naiveLimit = new RateLimit();
        retrying(() -> naive.act("booked table 4") + naiveLimit.pass("confirmed"));
        assertThat(naive.effects()).hasSize(2);

        RateLimit limit = new RateLimit();
        Tool book = Tool.named("book").run((call, in) -> outside.act("booked " + in.text("what")));
        Tool confirm = Tool.named("confirm").retry(Retry.none()).run((call, in) -> limit.pass("confirmed"));
        Session session = Session.of(idem, "booking-4", book, confirm);
        retrying(() -> {
            session.call("book", Map.of("what", "table 4"));
            return session.call("confirm", "{}").value();
        });

        assertThat(outside.effects()).containsExactly("booked table 4");
        assertThat(limit.passed).isEqualTo(1);
        assertThat(session.report().toString()).startsWith("4 calls, 3 ran, 1 replayed");
    }

    @Test
    void agentCrashesMidTaskRestartsAndResendsAllNotifications() throws Exception {
        assertThatThrownBy(() -> notifyAll(naive::act, 2)).isInstanceOf(Crash.class);
        notifyAll(naive::act, USERS.size());
        assertThat(naive.effects()).hasSize(5);

        Tool notify = Tool.named("notify").run((call, in) -> outside.act("told " + in.text("user")));
        String ledger = "sqlite:" + folder.resolve("idem.db");
        for (int crashAfter : new int[] {2, USERS.size()}) {
            try (Idem process = Idem.builder().ledger(ledger).quiet().open()) {
                Session session = Session.of(process, "release-1.2", notify);
                notifyAll(user -> session.call("notify", Map.of("user", user)), crashAfter);
            } catch (Crash e) {
                assertThat(crashAfter).isEqualTo(2);
            }
        }

        assertThat(outside.effects()).containsExactly("told ann", "told bob", "told cyd");
    }

    @Test
    void webhookHandlerProcessesTheSameEventTwiceBecauseTheFirstAckWasLost() throws Exception {
        twice(() -> naive.act("handled evt_12345"));
        assertThat(naive.effects()).hasSize(2);

        Inbox<String> inbox = Inbox.of(idem, "stripe").returning(String.class);
        Event event = Event.of("evt_12345", "{\"type\":\"payment.succeeded\"}");
        List<Delivery<String>> deliveries = twice(() -> inbox.receive(
                event, (paid, call) -> outside.act("handled " + paid.id().orElseThrow())));

        assertThat(deliveries.get(0)).isInstanceOf(Delivery.Handled.class);
        assertThat(deliveries.get(1))
                .isInstanceOfSatisfying(
                        Delivery.Duplicate.class,
                        duplicate -> assertThat(duplicate.value()).isEqualTo("handled evt_12345 #1"));
        assertThat(deliveries).allMatch(Delivery::acknowledge);
        assertThat(outside.effects()).containsExactly("handled evt_12345");
    }

    /** A source that has not heard the first acknowledgement, and delivers again. */
    private static <T> List<T> twice(Callable<T> handler) throws Exception {
        return List.of(handler.call(), handler.call());
    }

    /** Refuses its first caller, who has done something else before. */
    private static final class RateLimit {
        private int asked;
        private int passed;

        String pass(String what) {
            if (++asked == 1) {
                throw new NotExecutedException("429: too many requests");
            }
            passed++;
            return what;
        }
    }

    private interface Notifier {
        Object tell(String user) throws IOException;
    }

    private static void notifyAll(Notifier notifier, int crashAfter) throws IOException {
        int told = 0;
        for (String user : USERS) {
            if (told++ == crashAfter) {
                throw new Crash();
            }
            notifier.tell(user);
        }
    }

    /** Stands for the end of a process, which nobody catches. */
    private static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1;
    }
}
