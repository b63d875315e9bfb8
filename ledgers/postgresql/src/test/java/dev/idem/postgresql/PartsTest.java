package dev.idem.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.entry.Address;
import dev.idem.entry.Effect;
import dev.idem.entry.Entry;
import dev.idem.entry.Fingerprints;
import dev.idem.entry.Mark;
import dev.idem.entry.Owner;
import dev.idem.entry.Payload;
import dev.idem.entry.ProcessRef;
import dev.idem.entry.Result;
import dev.idem.entry.Settlement;
import dev.idem.entry.Ticket;
import dev.idem.error.LedgerUnreadableException;
import dev.idem.ledger.Claim;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.Ledger;
import dev.idem.ledger.Settled;
import dev.idem.testkit.Settlements;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an entry carries along is packed, comes back as it was, and can be read by names. */
@Timeout(60)
class PartsTest {
    private final TestServer server = TestServer.shared();
    private final String schema = TestServer.newSchema();
    private Ledger ledger;

    @BeforeEach
    void open() {
        ledger = server.open(server.url(schema), Requests.HERE);
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    private List<String> parts(String columns) {
        return server.texts("SELECT unnest(ARRAY[" + columns + "]::text[]) FROM " + schema
                + ".entries WHERE key = 'k' AND operation = 'charge' AND scope = 'shop'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"plain", "a b", "(a,b)", "\"", "\\", "\\\"\\\\\"\"", ",", "tab\tand\nline", " ", "null", "é€😀"})
    void every_text_comes_back_as_it_was(String odd) {
        ClaimRequest request = ClaimRequest.of(
                        Requests.request("k").attemptId(),
                        Requests.address("k"),
                        new Fingerprints("1d".repeat(32), "2e".repeat(32)),
                        new Owner(odd, new ProcessRef("host " + odd, 17, 42)))
                .withParent(new Address("(shop, \"a\")", "charge\\", "a,b"))
                .withLabels(Map.of(odd, odd))
                .withStaged(true);
        Entry granted = ((Claim.Granted) ledger.claim(request)).entry();
        assertThat(ledger.find(request.address())).contains(granted);

        Payload payload = new Payload(new byte[] {0, 1, 2}, odd, odd, odd);
        Settlement how = new Settlement.Completed(new Result.Stored(payload), Effect.CREATED, Settlements.DAY);
        Entry settled = ((Settled.Recorded) ledger.settle(granted.ticket(), how)).entry();
        assertThat(ledger.find(request.address())).contains(settled);
        assertThat(settled.settlement()).isEqualTo(how);
        assertThat(settled.tenure().owner()).isEqualTo(request.owner());
    }

    @Test
    void the_parts_of_an_entry_have_names() {
        Ticket ticket = Requests.take(ledger, "k");
        ledger.settle(ticket, Settlements.completed("1"));
        assertThat(parts("state, owner, attempt, outcome, effect, media_type, began, ended"))
                .containsExactly(
                        "complete", "tester", "1", "completed", "created", "application/json", "granted", "complete");
        assertThat(parts("created = claimed, acted = fence, expires - settled = keep, act_until > claimed"))
                .containsOnly("true");
    }

    @Test
    void so_have_those_that_few_entries_have() {
        ClaimRequest request = Requests.request("k").withStaged(true);
        Ticket ticket = ((Claim.Granted) ledger.claim(request)).ticket();
        ledger.mark(ticket, Mark.of("charging"));
        ledger.settle(ticket, Settlements.doubtful());
        assertThat(parts("state, marks, doubt, failure_type, doubt_since = settled, expires IS NULL"))
                .containsExactly(
                        "in_doubt",
                        "[{\"name\":\"charging\"}]",
                        "the action ended with java.net.SocketTimeoutException",
                        "java.net.SocketTimeoutException",
                        "true",
                        "true");
    }

    /** Otherwise a look at one entry would read them all. */
    @Test
    void an_entry_is_looked_up_by_its_key() {
        // An empty table would be read as a whole.
        server.execute("SET enable_seqscan = off");
        try {
            assertThat(server.texts("EXPLAIN SELECT owner FROM " + schema + ".entries WHERE key = 'k'"))
                    .anyMatch(line -> line.contains("Index Cond: (key = 'k'"));
        } finally {
            server.execute("RESET enable_seqscan");
        }
    }

    /** Never taken for "not there", nor for something that will be better the next time. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "granted = '(x)'",
                "granted = regexp_replace(granted, ',1,', ',one,')",
                "granted = left(granted, -1) || ',more)'",
                "granted = ''",
                "settlement = '(a,b)'",
                "rare = '(,,,,,,)'"
            })
    void what_is_no_entry_is_unreadable(String spoilt) {
        Ticket ticket = ((Claim.Granted) ledger.claim(Requests.request("k"))).ticket();
        ledger.settle(ticket, Settlements.completed("1"));
        server.execute("UPDATE " + schema + ".entry SET " + spoilt);

        assertThatThrownBy(() -> ledger.find(ticket.address())).isInstanceOf(LedgerUnreadableException.class);
        assertThatThrownBy(() -> ledger.claim(Requests.request("k"))).isInstanceOf(LedgerUnreadableException.class);
    }

    @Test
    void a_function_that_meets_what_is_no_entry_says_so_too() {
        Ticket ticket = ((Claim.Granted) ledger.claim(Requests.request("k"))).ticket();
        server.execute("UPDATE " + schema + ".entry SET granted = '(x)'");

        assertThatThrownBy(() -> ledger.settle(ticket, Settlements.failed()))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("can't be read");
    }
}
