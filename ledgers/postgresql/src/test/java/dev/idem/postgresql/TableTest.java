package dev.idem.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.LedgerUnreadableException;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Effect;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Ledger;
import dev.idem.spi.Owner;
import dev.idem.spi.Payload;
import dev.idem.spi.ProcessRef;
import dev.idem.spi.Result;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import dev.idem.testkit.Settlements;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The table can be read by a person, and what is not an entry is an error. */
@Timeout(60)
class TableTest {
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

    private String cell(String expression) {
        return server.texts("SELECT " + expression + " FROM " + schema + ".entries WHERE key = 'k'")
                .get(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"plain", "a b", "(a,b)", "\"", "\\", "\\\"\\\\\"\"", ",", "tab\tand\nline", " ", "null", "é€😀"})
    void everyTextComesBackAsItWas(String odd) {
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
    void aPersonReadsAnEntryByNames() {
        ClaimRequest request = Requests.request("k").withLabels(Map.of("customer", "cus_1"));
        ledger.settle(((Claim.Granted) ledger.claim(request)).ticket(), Settlements.completed("1"));
        assertThat(cell("concat_ws(' ', scope, operation, state, replays, labels)"))
                .isEqualTo("shop charge complete 0 {\"customer\": \"cus_1\"}");
        assertThat(cell("convert_from(body, 'UTF8')")).isEqualTo("1");
        assertThat(cell("concat_ws(' ', document::json ->> 'owner', document::json ->> 'ending')"))
                .isEqualTo("tester completed");
        assertThat(cell("expires = due AND expires - settled = interval '1 day' AND lease > claimed"))
                .isEqualTo("t");
    }

    @Test
    void aForgottenEntryIsCalledForgotten() {
        ledger.settle(Requests.take(ledger, "k"), Settlements.failed());
        ledger.forget(ledger.find(Requests.address("k")).orElseThrow());
        assertThat(cell("state")).isEqualTo("forgotten");
        assertThat(ledger.find(Requests.address("k"))).isEmpty();
    }

    /** Otherwise a look at one entry would read them all. */
    @ParameterizedTest
    @CsvSource({
        "key = 'k', entries_pkey",
        "fence < 17 ORDER BY fence DESC, entries_fence",
        "due IS NULL, entries_due",
        "due <= now(), entries_due",
        "state = 'failed', entries_failed"
    })
    void whatIsLookedForHasAnIndex(String condition, String index) {
        // An empty table would be read as a whole.
        server.execute("SET enable_seqscan = off");
        try {
            assertThat(server.texts("EXPLAIN SELECT * FROM " + schema + ".entries WHERE " + condition))
                    .anyMatch(line -> line.contains(index));
        } finally {
            server.execute("RESET enable_seqscan");
        }
    }

    /** Never taken for "not there", nor for something that will be better the next time. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "document = '(x)'",
                "document = ''",
                "document = '[]'",
                "document = replace(document, '\"v\":1', '\"v\":2')",
                "document = left(document, -1)",
                "state = 'unheard_of'"
            })
    void whatIsNoEntryIsUnreadable(String spoilt) {
        Ticket ticket = Requests.take(ledger, "k");
        ledger.settle(ticket, Settlements.completed("1"));
        server.execute("UPDATE " + schema + ".entries SET " + spoilt);

        assertThatThrownBy(() -> ledger.find(ticket.address())).isInstanceOf(LedgerUnreadableException.class);
        assertThatThrownBy(() -> ledger.claim(Requests.request("k"))).isInstanceOf(LedgerUnreadableException.class);
        assertThatThrownBy(() -> ledger.settle(ticket, Settlements.failed()))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("can't be read");
    }
}
