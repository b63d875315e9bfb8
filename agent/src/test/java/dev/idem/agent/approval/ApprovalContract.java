package dev.idem.agent.approval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.spi.Ledger;
import dev.idem.spi.ResolvedBy;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Match;
import dev.idem.spi.browse.Query;
import dev.idem.testkit.Race;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The promises of an approval, on any ledger. */
abstract class ApprovalContract {
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-03-01T12:00:00Z"));
    private Ledger ledger;
    private Idem idem;
    private Approvals approvals;

    abstract Ledger open();

    @BeforeEach
    void openIdem() {
        ledger = open();
        idem = Idem.builder().ledger(ledger).quiet().open();
        approvals = Approvals.on(idem).clock(now::get);
    }

    @AfterEach
    void closeIdem() {
        idem.close();
        ledger.close();
    }

    @Test
    void aSummaryShowsNoSecret() {
        Map<String, Object> arguments = new TreeMap<>(Map.of(
                "iban",
                "DE1",
                "password",
                "hunter2",
                "nested",
                List.of(Map.of("api_key", "sk-1"), Map.of("name", "ann"))));
        Wanted wanted = new Wanted(drop("users").call(), new TreeMap<>(arguments));

        assertThat(approvals.ask(wanted).request().summary())
                .isEqualTo(
                        "drop_table(iban: \"DE1\", nested: [{\"api_key\":\"***\"},{\"name\":\"ann\"}], password: \"***\")");
    }

    @Test
    void aCallWithoutAnApprovalBecomesPendingWithAReadableSummary() {
        Ruling ruling = approvals.ask(drop("users"));

        assertThat(ruling).isInstanceOf(Ruling.Pending.class);
        assertThat(ruling.request().summary()).isEqualTo("drop_table(table: \"users\")");
        assertThat(ruling.request().expiresAt()).isEqualTo(now.get().plus(Duration.ofDays(1)));
        assertThat(ruling.forModel())
                .contains("'drop_table' was not called yet", ruling.request().key(), "drop_table(table: \"users\")");
        assertThat(approvals.ask(drop("users"))).isEqualTo(ruling);
        assertThat(approvals.pending()).containsExactly(ruling.request());
    }

    /** Every request ever made was read to find those few. */
    @Test
    void onlyOpenRequestsAreRead() {
        Address shop = new Address("acme/shop", "drop_table", "k");
        String first =
                approvals.ask(new Wanted(shop, Map.of("table", "a"))).request().key();
        String second =
                approvals.ask(new Wanted(shop, Map.of("table", "b"))).request().key();
        String open =
                approvals.ask(new Wanted(shop, Map.of("table", "c"))).request().key();
        String longest = "x".repeat(255);
        String other = approvals
                .ask(new Wanted(new Address(longest, "drop_table", "k"), Map.of()))
                .request()
                .key();
        approvals.approve(first, "ann");
        approvals.deny(second, "ann", "no");

        assertThat(keys(approvals.pending())).containsExactly(other, open);
        assertThat(keys(approvals.pending(List.of(Match.prefix("acme/"))))).containsExactly(open);
        assertThat(keys(approvals.pending(List.of(Match.exactly(longest))))).containsExactly(other);
        assertThat(approvals.pending(List.of(Match.exactly("acme")))).isEmpty();
        assertThat(ledger.as(Browsable.class)
                        .orElseThrow()
                        .browse(Query.all().withOperation("approval_open"))
                        .entries())
                .hasSize(2);
    }

    private static List<String> keys(List<ApprovalRequest> requests) {
        return requests.stream().map(ApprovalRequest::key).toList();
    }

    @Test
    void anApprovalIsBoundToTheExactArgumentsAndUsedOnce() {
        String key = approvals.ask(drop("users")).request().key();
        Decision decision = approvals.approve(key, "ann");

        assertThat(decision.by()).isEqualTo("ann");
        assertThat(decision.at()).isEqualTo(now.get());
        assertThat(approvals.pending()).isEmpty();
        assertThat(approvals.ask(drop("orders"))).isInstanceOf(Ruling.Pending.class);
        Ruling.Granted granted = (Ruling.Granted) approvals.ask(drop("users"));
        assertThat(use(granted, 1)).isTrue();
        assertThat(use(granted, 2)).isFalse();
        assertThat(use(granted, 1)).isFalse();
        Ruling again = approvals.ask(drop("users"));
        assertThat(again).isInstanceOf(Ruling.Pending.class);
        assertThat(again.request().key()).isNotEqualTo(key);
    }

    @Test
    void ofTwoThatUseItAtTheSameTimeOneDoes() {
        String key = approvals.ask(drop("users")).request().key();
        approvals.approve(key, "ann");
        Ruling.Granted granted = (Ruling.Granted) approvals.ask(drop("users"));

        List<Boolean> used = Race.between(List.of(() -> use(granted, 1), () -> use(granted, 2), () -> use(granted, 3)));

        assertThat(used).containsOnlyOnce(true);
    }

    @Test
    void aDenialStandsAndSaysWhoAndWhy() {
        String key = approvals.ask(drop("users")).request().key();
        approvals.deny(key, "bob", "not on a Friday");

        Ruling ruling = approvals.ask(drop("users"));

        assertThat(ruling).isInstanceOf(Ruling.Denied.class);
        assertThat(ruling.forModel()).contains("denied by bob at 2026-03-01T12:00:00Z: not on a Friday");
        assertThatThrownBy(() -> approvals.approve(key, "ann")).hasMessageContaining("was already denied by bob");
        assertThat(approvals.deny(key, "carl", "").by()).isEqualTo("bob");
    }

    @Test
    void aCallTellsItsApprovalsAndTheReason() {
        Wanted wanted = drop("users");
        String key = approvals.ask(wanted).request().key();
        approvals.ask(drop("orders"));
        approvals.approve(key, "ann", "a customer asked");

        assertThat(approvals.of(wanted.call())).extracting(ApprovalRequest::key).contains(key);
        Decision made = approvals.decision(key).orElseThrow();
        assertThat(made.told()).startsWith("approved by ann at ").endsWith(": a customer asked");
        assertThat(approvals.decidedBy("ann")).containsExactly(wanted.call());
        assertThat(approvals.decidedBy("bob")).isEmpty();
    }

    @Test
    void aTokenIsShownBesideTheNameThatItGives() {
        String key = approvals.ask(drop("users")).request().key();
        approvals.decide(key, true, new ResolvedBy("ann", null, null, "token ci"));
        assertThat(approvals.decision(key).orElseThrow().told()).startsWith("approved by ann (token ci) at ");
        assertThat(approvals.decidedBy("token ci")).hasSize(1);
    }

    @Test
    void aNameIsOneShortLine() {
        String key = approvals.ask(drop("users")).request().key();
        assertThatThrownBy(() -> approvals.approve(key, "ann\nbob")).isInstanceOf(IllegalArgumentException.class);
        assertThat(approvals.decision(key)).isEmpty();
    }

    @Test
    void requestsAndApprovalsExpire() {
        String first = approvals.ask(drop("users")).request().key();
        pass(Duration.ofDays(1));
        assertThatThrownBy(() -> approvals.approve(first, "ann")).hasMessageContaining("has expired");
        assertThat(approvals.pending()).isEmpty();
        String second = approvals.ask(drop("users")).request().key();
        approvals.approve(second, "ann");
        Ruling.Granted granted = (Ruling.Granted) approvals.ask(drop("users"));
        pass(Duration.ofHours(1));

        assertThat(second).isNotEqualTo(first);
        assertThat(use(granted, 1)).isFalse();
        assertThat(approvals.ask(drop("users"))).isInstanceOf(Ruling.Pending.class);
    }

    @Test
    void anotherProcessSeesAndSettlesIt() {
        String key = approvals.ask(drop("users")).request().key();

        try (Idem other = Idem.builder().ledger(ledger).quiet().open()) {
            Approvals there = Approvals.on(other).clock(now::get);
            assertThat(there.pending()).extracting(ApprovalRequest::key).containsExactly(key);
            there.approve(key, "ann");
        }

        assertThat(approvals.ask(drop("users"))).isInstanceOf(Ruling.Granted.class);
        assertThat(approvals.decision(key)).map(Decision::by).contains("ann");
    }

    @Test
    void anUnknownKeyIsAnError() {
        assertThatThrownBy(() -> approvals.approve("idem_none", "ann"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("idem_none");
    }

    private boolean use(Ruling.Granted granted, int attempt) {
        return idem.operation("drop_table")
                .key("attempt-" + attempt + "-" + Thread.currentThread().getId() + "-" + System.nanoTime())
                .returning(Boolean.class)
                .run(call -> approvals.use(granted, call));
    }

    private void pass(Duration time) {
        now.updateAndGet(moment -> moment.plus(time));
    }

    private static Wanted drop(String table) {
        return new Wanted(new Address("order-1", "drop_table", "key-" + table), Map.of("table", table));
    }
}
