package dev.idem.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Json;
import dev.idem.LedgerException;
import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import dev.idem.internal.wire.RecordJson;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fence;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.GroupRenewing;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.spi.Owner;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Historied;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the answers of a server mean, those of proxies and of wrong servers included. */
class AnswersTest {
    private static final Address AT = new Address("shop", "charge", "k");

    private CannedServer server;

    @BeforeEach
    void start() throws IOException {
        server = new CannedServer();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static ClaimRequest request(int id, String key) {
        return ClaimRequest.of(
                new AttemptId(0, id), new Address("shop", "charge", key), Fingerprints.NONE, Owner.named("ann"));
    }

    /** The answer of a healthy server to a claim. */
    private static String granted(ClaimRequest request) {
        try (Ledger ledger = Ledgers.open("memory:")) {
            return Json.writePlain(Map.of("answer", "done", "claim", RecordJson.write(ledger.claim(request))));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "503, ledger_unavailable, true",
        "500, internal,           true",
        "500, unreadable,         false",
        "401, unauthorised,       false",
        "403, forbidden,          false",
        "409, mismatch,           false",
        "413, too_large,          false",
    })
    void anErrorTellsWhetherToTryAgain(int status, String code, boolean again) {
        server.problem(status, code);
        try (Ledger ledger = server.open("")) {
            assertThatThrownBy(() -> ledger.find(AT))
                    .isInstanceOf(again ? LedgerUnavailableException.class : LedgerUnreadableException.class)
                    .hasMessageContaining("the detail")
                    .hasMessageNotContaining("s3cret");
        }
        assertThat(server.asked()).as("requests").containsExactly("ledger.find");
    }

    @Test
    void whatTheServerDoesNotTakeIsAMistakeOfTheCaller() {
        server.problem(400, "malformed");
        try (Ledger ledger = server.open("")) {
            assertThatThrownBy(() -> ledger.find(AT))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the detail");
        }
    }

    @Test
    void aBodyThatCameTooSlowlyIsAskedAgain() {
        server.problem(408, "malformed");
        try (Ledger ledger = server.open("")) {
            assertThatThrownBy(() -> ledger.find(AT)).isInstanceOf(LedgerUnavailableException.class);
        }
    }

    @Test
    void aBusyServerIsAskedAgainByTheLedger() {
        server.problem(429, "busy").problem(429, "busy").then(200, "{\"answer\":\"none\"}");
        try (Ledger ledger = server.open("")) {
            assertThat(ledger.find(AT)).isEmpty();
        }
        assertThat(server.asked()).hasSize(3);
    }

    @Test
    void aServerThatStaysBusyGivesNoAnswer() {
        server.problem(429, "busy");
        try (Ledger ledger = server.open("&timeout=300ms")) {
            assertThatThrownBy(() -> ledger.find(AT)).isInstanceOf(LedgerUnavailableException.class);
        }
        assertThat(server.asked()).hasSizeGreaterThan(2);
    }

    @ParameterizedTest
    @CsvSource({"502, true", "504, true", "404, false", "301, false", "407, false"})
    void aProxyIsNotTheServer(int status, boolean again) {
        server.then(status, "<html>a proxy</html>");
        try (Ledger ledger = server.open("")) {
            assertThatThrownBy(() -> ledger.find(AT))
                    .isInstanceOfSatisfying(
                            LedgerException.class,
                            e -> assertThat(e.mayTryAgain()).isEqualTo(again))
                    .hasMessageContaining("the status " + status);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<html>",
                "[]",
                "{}",
                "{\"answer\":\"found\"}",
                "{\"answer\":\"found\",\"entry\":{}}",
                "{\"answer\":\"done\"}",
                "{\"answer\":\"none\""
            })
    void anAnswerThatIsNotUnderstoodIsNone(String body) {
        server.then(200, body);
        try (Ledger ledger = server.open("")) {
            assertThatThrownBy(() -> ledger.find(AT))
                    .isInstanceOf(LedgerUnavailableException.class)
                    .hasMessageContaining("can't be understood");
        }
    }

    @Test
    void aGrantIsActedOnOnlyByTheClaimThatItAnswers() {
        server.then(200, granted(request(1, "k")));
        try (Ledger ledger = server.open("")) {
            assertThat(ledger.claim(request(1, "k"))).isInstanceOf(Claim.Granted.class);
            assertThatThrownBy(() -> ledger.claim(request(1, "other")))
                    .isInstanceOf(LedgerUnavailableException.class)
                    .hasMessageContaining("another entry");
            assertThatThrownBy(() -> ledger.claim(request(2, "k")))
                    .isInstanceOf(LedgerUnavailableException.class)
                    .hasMessageContaining("another attempt");
        }
    }

    @Test
    void anEntryIsThatOfTheAddress() {
        Entry entry;
        try (Ledger memory = Ledgers.open("memory:")) {
            entry = memory.claim(request(1, "k")).entry();
        }
        server.then(200, Json.writePlain(Map.of("answer", "found", "entry", RecordJson.write(entry))));
        try (Ledger ledger = server.open("")) {
            assertThat(ledger.find(AT)).contains(entry);
            assertThatThrownBy(() -> ledger.find(new Address("shop", "charge", "other")))
                    .hasMessageContaining("another entry");
        }
    }

    @Test
    void renewalsAreSentInTheSizesThatTheServerTakes() {
        server.then(200, "{\"answer\":\"done\",\"tickets\":[\"renewed\",\"lost\"]}")
                .then(200, "{\"answer\":\"done\",\"tickets\":[\"unanswered\"]}")
                .then(200, "{\"answer\":\"done\",\"tickets\":[]}");
        Map<Ticket, Duration> leases = new LinkedHashMap<>();
        for (int i = 0; i < 3; i++) {
            leases.put(new Ticket(new Address("shop", "charge", "k" + i), new Fence(1)), Duration.ofSeconds(30));
        }
        try (Ledger ledger = server.open("")) {
            GroupRenewing renewing = ledger.as(GroupRenewing.class).orElseThrow();
            GroupRenewing.Unrenewed unrenewed = renewing.renewAll(leases);
            assertThat(unrenewed.lost()).hasSize(1);
            assertThat(unrenewed.unanswered()).hasSize(1);
            assertThat(server.asked()).hasSize(2);
            assertThatThrownBy(() -> renewing.renewAll(leases))
                    .as("an answer without one for each ticket")
                    .isInstanceOf(LedgerUnavailableException.class);
        }
    }

    @Test
    void whatTheLedgerBehindItCanNotIsMissing() {
        server.hello(CannedServer.HELLO.replace("\"browse\",\"trail\"", ""));
        try (Ledger ledger = server.open("")) {
            assertThat(ledger.as(Browsable.class)).isEmpty();
            assertThat(ledger.as(Historied.class)).isEmpty();
            assertThat(ledger.largestResult()).isEqualTo(1000);
        }
    }

    @Test
    void aTokenThatMayNotClaimIsRefusedAtOnce() {
        server.hello(CannedServer.HELLO.replace("\"act\",", ""));
        assertThatThrownBy(() -> server.open(""))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("[read, payloads, operate]")
                .hasMessageContaining("needs act");
    }

    @Test
    void nobodyIsThere() {
        server.close();
        assertThatThrownBy(() -> server.open(""))
                .isInstanceOf(LedgerUnavailableException.class)
                .hasMessageContaining("can't be reached")
                .hasMessageContaining("Nothing was sent");
    }
}
