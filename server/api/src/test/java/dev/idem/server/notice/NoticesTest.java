package dev.idem.server.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Operation;
import dev.idem.Policy;
import dev.idem.Probe;
import dev.idem.RequestStore;
import dev.idem.agent.approval.Approvals;
import dev.idem.agent.approval.Wanted;
import dev.idem.agent.inbox.Event;
import dev.idem.agent.inbox.Inbox;
import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.spi.Owner;
import dev.idem.testkit.Until;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is told, how often and by whom. */
@Timeout(180)
class NoticesTest extends NoticeCase {
    @Test
    void aDoubtIsToldWithASignatureFieldsAndALink() {
        doubt("order 7/ä", "charge", "a&b");
        tell(receiver.webhook());
        Until.isTrue("told", () -> !receiver.got.isEmpty());
        Receiver.Got got = receiver.got.get(0);
        assertThat(got.isSigned()).isTrue();
        assertThat(got.json()).containsEntry("type", "idem.in_doubt");
        assertThat(got.data())
                .containsEntry("operation", "charge")
                .containsEntry("scope", "order 7/ä")
                .containsEntry("key", "a&b")
                .containsEntry("labels", Map.of("customer", "cus_1"))
                .containsEntry(
                        "link",
                        "https://ops.example.com/idem/#/entry?scope=order%207%2F%C3%A4&operation=charge&key=a%26b");
        assertThat(got.text()).doesNotContain("s3cret");
    }

    @Test
    void aRestartTellsNothingAgain() {
        doubt("k1");
        Notices first = tell(receiver.webhook());
        Until.isTrue("told", () -> receiver.got.size() == 1);
        first.close();
        doubt("k2");
        tell(receiver.webhook());
        Until.isTrue("told", () -> receiver.keys().contains("k2"));
        assertThat(receiver.keys()).containsExactly("k1", "k2");
    }

    @Test
    void aLeaseThatRanOutIsToldWithoutAnybodyWritingItDown() {
        try (RequestStore requests = RequestStore.builder()
                .ledger(ledger)
                .owner(Owner.named("worker-3"))
                .lease(Duration.ofMillis(50))
                .open()) {
            requests.markInProgress("r1");
        }
        tell(receiver.webhook());
        Until.isTrue("told", () -> receiver.got.size() == 1);
        assertThat(receiver.got.get(0).data())
                .containsEntry("words", "the lease of worker-3 ran out without a heartbeat");
    }

    @Test
    void aProbeThatCantTellLeavesTheSameDoubt() {
        Operation<?> charge = idem.operation("charge")
                .key("k1")
                .policy(Policy.write().timeLimit(Duration.ofSeconds(2)))
                .probe(doubted -> Probe.Verdict.unknown());
        charge.attempt(call -> {
            throw new SocketTimeoutException();
        });
        tell(receiver.webhook());
        Until.isTrue("told", () -> receiver.got.size() == 1);
        long fence = charge.find().orElseThrow().fence().number();
        charge.attempt(call -> {
            throw new AssertionError("it must not run");
        });
        assertThat(charge.find().orElseThrow().fence().number()).isGreaterThan(fence);
        doubt("last");
        Until.isTrue("told", () -> receiver.keys().contains("last"));
        assertThat(receiver.keys()).containsExactly("k1", "last");
    }

    @Test
    void twoServersTellEachDoubtOnceTogether() {
        Ledger other = closing(Ledgers.open(url()));
        tell(receiver.webhook());
        closing(Notices.start(other, List.of(receiver.webhook()), LINK, Duration.ofMillis(15)));
        for (int i = 1; i <= 20; i++) {
            String key = "k" + i;
            doubt(key);
            Until.isTrue(
                    "told",
                    () -> receiver.got.stream().anyMatch(got -> got.text().contains("\"" + key + "\"")));
        }
        assertThat(receiver.keys())
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 20).mapToObj(i -> "k" + i).toList());
    }

    @Test
    void whatWasThereBeforeIsOneMessageThatNamesTheFirst() {
        doubts(300, "old");
        tell(receiver.webhook(), Channel.slack(receiver.url()));
        Until.isTrue("told twice", () -> receiver.got.size() == 2);
        Receiver.Got got =
                receiver.got.stream().filter(Receiver.Got::isSigned).findFirst().orElseThrow();
        assertThat(got.json()).containsEntry("type", "idem.several");
        assertThat(got.data()).containsEntry("link", "https://ops.example.com/idem/#/");
        assertThat(String.valueOf(got.data().get("count"))).isEqualTo("300");
        assertThat((List<?>) got.data().get("first")).hasSize(5);
        assertThat(String.valueOf(got.data().get("text")))
                .startsWith("300 calls need a person")
                .contains("key old1")
                .endsWith("and 295 more");
        // And nothing after it but what is new.
        doubt("new");
        Until.isTrue("told", () -> receiver.got.size() == 4);
        assertThat(receiver.got.subList(2, 4)).allMatch(each -> each.text().contains("key new"));
    }

    @Test
    void aFewNewOnesAreToldApartAndManyTogether() {
        doubts(2, "first");
        Notices one = tell(receiver.webhook());
        Until.isTrue("told", () -> receiver.got.size() == 1);
        one.close();
        doubts(5, "few");
        Notices two = tell(receiver.webhook());
        Until.isTrue("told", () -> receiver.got.size() == 6);
        two.close();
        doubts(6, "many");
        tell(receiver.webhook());
        Until.isTrue("told", () -> receiver.got.size() == 7);
        assertThat(String.valueOf(receiver.got.get(0).data().get("count"))).isEqualTo("2");
        assertThat(receiver.keys().subList(1, 6)).containsExactly("few1", "few2", "few3", "few4", "few5");
        assertThat(String.valueOf(receiver.got.get(6).data().get("count"))).isEqualTo("6");
        assertThat(receiver.got.stream().map(Receiver.Got::id)).doesNotHaveDuplicates();
    }

    @Test
    void heldCallsAndEventsThatWereGivenUpAreTold() {
        doubt("before");
        Notices first = tell(receiver.webhook());
        Until.isTrue("told", () -> receiver.got.size() == 1);
        first.close();
        Approvals.on(idem).ask(new Wanted(new Address("order-7", "drop_table", "k1"), Map.of("table", "s3cret")));
        var inbox = Inbox.of(idem, "stripe").poisonAfter(1);
        inbox.receive(Event.of("evt_1", "s3cret"), (event, call) -> {
            throw new IllegalStateException("s3cret");
        });
        tell(receiver.webhook());
        Until.isTrue("told", () -> receiver.got.size() == 3);
        assertThat(receiver.got.stream().map(got -> got.json().get("type")))
                .containsExactly("idem.in_doubt", "idem.held", "idem.given_up");
        assertThat(receiver.got.get(1).data())
                .containsEntry("operation", "drop_table")
                .containsEntry("link", "https://ops.example.com/idem/#/");
        assertThat(receiver.got.get(2).data())
                .containsEntry("scope", "inbox:stripe")
                .containsEntry("key", "evt_1");
        assertThat(receiver.got).noneMatch(got -> got.text().contains("s3cret"));
    }

    @Test
    void idemsOwnDoubtsAreNeverTold() {
        for (String scope : List.of("idem", "approvals", "approvals:order-7", "notices", "notices:x")) {
            doubt(scope, "own", "k-of-" + scope);
        }
        doubt("notices-of-mine", "charge", "mine");
        tell(receiver.webhook());
        Until.isTrue("told", () -> !receiver.got.isEmpty());
        doubt("last");
        Until.isTrue("told", () -> receiver.got.size() == 2);
        assertThat(receiver.keys()).containsExactly("mine", "last");
    }

    @Test
    void aLedgerThatCantBeBrowsedIsRefusedByName() {
        Ledger blind = new ForwardingLedger(ledger) {
            @Override
            public <C> Optional<C> as(Class<C> capability) {
                return Optional.empty();
            }

            @Override
            public String describe() {
                return "the blind one";
            }
        };
        assertThatThrownBy(() -> Notices.start(blind, List.of(receiver.webhook()), LINK, Duration.ofSeconds(1)))
                .hasMessageContaining("the ledger the blind one can't be browsed");
    }
}
