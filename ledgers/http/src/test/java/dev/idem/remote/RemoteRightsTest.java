package dev.idem.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.LedgerUnreadableException;
import dev.idem.server.Access;
import dev.idem.spi.AttemptId;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.spi.Owner;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Historied;
import dev.idem.spi.browse.Query;
import dev.idem.testkit.Settlements;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a tenant can do with its token, and what it can see of others: nothing. */
class RemoteRightsTest {
    private static final Address OWN = new Address("acme/shop", "charge", "k");
    private static final Address OTHERS = new Address("other/shop", "charge", "k");
    private static final List<String> SCOPES = List.of("acme/*");

    @TempDir
    Path folder;

    private Ledger behind;
    private TestServer server;
    private Ledger tenant;
    private Ledger operator;

    @BeforeEach
    void open() {
        behind = Ledgers.open("sqlite:" + folder.resolve("idem.db"));
        server = TestServer.overTcp(behind, folder);
        tenant = server.open(server.token("tenant", Access.of(List.of("act"), SCOPES)));
        operator =
                server.open(server.token("operator", Access.of(List.of("act", "read", "payloads", "operate"), SCOPES)));
        complete(OWN);
        complete(OTHERS);
    }

    @AfterEach
    void close() {
        tenant.close();
        operator.close();
        server.close();
    }

    private void complete(Address at) {
        behind.settle(behind.claim(request(at)).entry().ticket(), Settlements.completed("\"secret\""));
    }

    private static ClaimRequest request(Address at) {
        return ClaimRequest.of(new AttemptId(1, System.nanoTime()), at, Fingerprints.NONE, Owner.named("ann"));
    }

    private static void refused(ThrowingCallable step) {
        assertThatThrownBy(step)
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("Nothing was done")
                .hasMessageContaining("a token that allows it");
    }

    @Test
    void anotherScopeIsClosed() {
        Entry entry = behind.find(OTHERS).orElseThrow();
        Ticket ticket = entry.ticket();
        for (Ledger ledger : List.of(tenant, operator)) {
            refused(() -> ledger.claim(request(OTHERS)));
            refused(() -> ledger.claim(request(OWN).withParent(OTHERS)));
            refused(() -> ledger.find(OTHERS));
            refused(() -> ledger.renew(ticket, Duration.ofSeconds(30)));
            refused(() -> ledger.settle(ticket, Settlements.completed("1")));
            refused(() -> ledger.resolve(OTHERS, entry.fence(), Settlements.notExecuted()));
            refused(() -> ledger.forget(entry));
        }
        refused(() -> operator.as(Historied.class).orElseThrow().trail(OTHERS));
        assertThat(behind.find(OTHERS)).contains(entry);
    }

    @Test
    void aListHoldsTheOwnScopesAlone() {
        Browsable browsable = operator.as(Browsable.class).orElseThrow();
        assertThat(browsable.browse(Query.all()).entries())
                .extracting(Entry::address)
                .containsExactly(OWN);
        refused(() -> browsable.browse(Query.all().withScope(OTHERS.scope())));
        assertThat(browsable.stats().entries().values()).containsExactly(1L);
        refused(() -> browsable.purge(10));
    }

    @Test
    void aTokenToActSeesItsOwnResultAndNoLists() {
        assertThat(tenant.find(OWN)).isEqualTo(behind.find(OWN));
        assertThat(tenant.as(Browsable.class)).isEmpty();
        assertThat(tenant.as(Historied.class)).isEmpty();
        Entry entry = behind.find(OWN).orElseThrow();
        refused(() -> tenant.forget(entry));
        refused(() -> tenant.resolve(OWN, entry.fence(), Settlements.notExecuted()));
    }

    /** Whoever could write approvals could approve the own calls. */
    @Test
    void entriesOfIdemsOwnAreClosed() {
        try (Ledger all = server.open(server.token("all", Access.ALL))) {
            assertThatThrownBy(() -> all.claim(request(new Address("idem", "ledger_id", "ledger_id"))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Idem's own");
        }
    }

    @Test
    void aRefusedCallRunsNothing() {
        try (Idem idem = Idem.builder().ledger(tenant).quiet().open()) {
            assertThatThrownBy(() -> idem.operation("charge")
                            .scope("other/shop")
                            .key("new")
                            .run(call -> {
                                throw new AssertionError("it ran");
                            }))
                    .isInstanceOf(LedgerUnreadableException.class);
        }
    }

    @Test
    void aTokenThatMayOnlyLookOpensTheLedgerOnlyToLook() {
        String reader = server.token("reader", Access.of(List.of("read", "payloads"), SCOPES));
        assertThatThrownBy(() -> server.open(reader))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("needs act");
        try (Ledger ledger = server.openToLook(reader)) {
            assertThat(ledger.find(OWN)).isPresent();
        }
        assertThatThrownBy(() -> server.openToLook(server.token("counter", Access.of(List.of("read"), SCOPES))))
                .hasMessageContaining("read and payloads");
    }

    @Test
    void aRevokedTokenIsTold() {
        server.revoke("tenant");
        assertThatThrownBy(() -> tenant.find(OWN))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("idem token ls");
        assertThatThrownBy(() -> server.open("a-wrong-secret"))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageNotContaining("a-wrong-secret");
    }
}
