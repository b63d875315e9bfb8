package dev.idem.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.LedgerException;
import dev.idem.LedgerUnreadableException;
import dev.idem.lab.Proxy;
import dev.idem.seal.SealKeys;
import dev.idem.seal.SealedLedger;
import dev.idem.server.Access;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.spi.Owner;
import dev.idem.spi.ProcessRef;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settled;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import dev.idem.testkit.Settlements;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemoteLedgerTest {
    private static final Address AT = new Address("shop", "charge", "k");

    @TempDir
    Path folder;

    private final AtomicLong attempts = new AtomicLong();
    private Ledger behind;
    private TestServer server;

    @BeforeEach
    void open() {
        behind = Ledgers.open("sqlite:" + folder.resolve("idem.db"));
        server = TestServer.overTcp(behind, folder);
    }

    @AfterEach
    void close() {
        server.close();
    }

    private ClaimRequest request(Address at, Owner owner) {
        return ClaimRequest.of(new AttemptId(1, attempts.incrementAndGet()), at, Fingerprints.NONE, owner);
    }

    private ClaimRequest request() {
        return request(AT, Owner.named("ann"));
    }

    /** The pid may belong to another process here, or to none: the server can't see the host of the owner. */
    @Test
    void aProcessOfAnotherHostIsNeverFoundDead() {
        ProcessRef own = Host.system().process(ProcessHandle.current().pid()).orElseThrow();
        for (long pid : new long[] {own.pid(), 4_000_000_000L}) {
            Address at = new Address("shop", "charge", "of-" + pid);
            Owner elsewhere = new Owner("ann", new ProcessRef("another-boot/1", pid, own.start() + 1));
            try (Ledger ledger = server.open()) {
                assertThat(ledger.claim(request(at, elsewhere))).isInstanceOf(Claim.Granted.class);
                assertThat(ledger.claim(request(at, Owner.named("bob")))).isInstanceOf(Claim.InFlight.class);
            }
            assertThat(behind.claim(request(at, Owner.named("bob")))).isInstanceOf(Claim.InFlight.class);
        }
    }

    /** Shows that the test above can fail. */
    @Test
    void aProcessOfTheServersHostIsFoundDead() {
        ProcessRef own = Host.system().process(ProcessHandle.current().pid()).orElseThrow();
        Owner dead = new Owner("ann", new ProcessRef(own.host(), own.pid(), own.start() + 1));
        try (Ledger ledger = server.open()) {
            ledger.claim(request(AT, dead));
            assertThat(ledger.claim(request())).isInstanceOf(Claim.InDoubt.class);
        }
    }

    @Test
    void theServerStoresOnlySealedResults() {
        SealKeys keys = SealKeys.of("k1", new byte[32]);
        try (Ledger sealed = new SealedLedger(server.open(), keys);
                Ledger other = new SealedLedger(server.open(), keys);
                Ledger plain = server.open()) {
            sealed.settle(sealed.claim(request()).entry().ticket(), Settlements.completed("\"4111-1111\""));
            assertThat(text(behind.find(AT).orElseThrow())).doesNotContain("4111");
            assertThat(text(plain.find(AT).orElseThrow())).doesNotContain("4111");
            assertThat(text(other.claim(request()).entry())).isEqualTo("\"4111-1111\"");
        }
        try (Ledger wrong = new SealedLedger(server.open(), SealKeys.of("k2", new byte[32]))) {
            assertThatThrownBy(() -> wrong.claim(request())).isInstanceOf(LedgerUnreadableException.class);
        }
    }

    private static String text(Entry entry) {
        return new String(((Result.Stored) entry.result()).payload().bytes(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void itHasNoTransactions() {
        try (Idem idem = Idem.builder().ledger(server.open()).quiet().open()) {
            assertThatThrownBy(() -> idem.operation("order")
                            .key("k")
                            .inTransaction(Connection.class)
                            .run((call, connection) -> "ordered"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("has no transactions");
        }
    }

    /** An empty ledger at the same place would grant everything once more. */
    @Test
    void anotherLedgerAtTheSamePlaceIsRefused() {
        String token = server.token("mine", Access.ALL);
        int port = server.port();
        try (Ledger ledger = server.open(token)) {
            ledger.settle(ledger.claim(request()).entry().ticket(), Settlements.completed("1"));
            server.close();
            server = TestServer.overTcp(Ledgers.open("memory:"), folder, port);
            assertThatThrownBy(() -> ledger.claim(request()))
                    .isInstanceOf(LedgerUnreadableException.class)
                    .hasMessageContaining("another ledger")
                    .hasMessageContaining("Open the ledger again");
            assertThatThrownBy(() -> ledger.find(AT)).isInstanceOf(LedgerUnreadableException.class);
        }
    }

    @Test
    void theServerMayEndAndStartAgain() {
        String token = server.token("mine", Access.ALL);
        int port = server.port();
        try (Ledger ledger = server.open(token)) {
            Claim claim = ledger.claim(request());
            server.close();
            assertThatThrownBy(() -> ledger.find(AT))
                    .isInstanceOf(LedgerException.class)
                    .satisfies(
                            e -> assertThat(((LedgerException) e).mayTryAgain()).isTrue());
            behind = Ledgers.open("sqlite:" + folder.resolve("idem.db"));
            server = TestServer.overTcp(behind, folder, port);
            Settled settled = ledger.settle(claim.entry().ticket(), Settlements.completed("1"));
            assertThat(settled).isInstanceOf(Settled.Recorded.class);
        }
    }

    @Test
    void connectionsThatTheServerHasClosedAreReplaced() throws IOException {
        try (Proxy proxy = new Proxy(server.port());
                Ledger ledger = TestServer.open(
                        "http://127.0.0.1:" + proxy.port(), server.token("mine", Access.ALL), "&timeout=60s")) {
            assertThat(ledger.find(AT)).isEmpty();
            proxy.cut();
            assertThat(ledger.find(AT)).isEmpty();
        }
    }

    @Test
    void aPurgeGoesOnUntilEnoughIsGone() {
        try (Ledger ledger = server.open()) {
            for (int i = 0; i < 5; i++) {
                Address at = new Address("shop", "charge", "k" + i);
                ledger.settle(
                        ledger.claim(request(at, Owner.named("ann"))).entry().ticket(),
                        Settlements.completed("1", Retention.of(Duration.ofMillis(1))));
            }
            Browsable browsable = ledger.as(Browsable.class).orElseThrow();
            Until.isTrue(
                    "all have expired",
                    () -> browsable
                            .browse(Query.all().withScope("shop"))
                            .entries()
                            .isEmpty());
            assertThat(browsable.purge(2)).isEqualTo(2);
            assertThat(browsable.purge(100)).isEqualTo(3);
        }
    }
}
