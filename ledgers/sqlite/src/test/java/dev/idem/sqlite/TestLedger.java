package dev.idem.sqlite;

import dev.idem.Address;
import dev.idem.spi.Awaitable;
import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Counts;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.Stats;
import dev.idem.spi.browse.TrailLine;
import dev.idem.spi.store.StoreLedger;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A SQLite ledger with its capabilities and its store at hand. */
final class TestLedger extends ForwardingLedger implements Browsable, Awaitable {
    private final SqliteStore store;
    private final StoreLedger ledger;

    private TestLedger(SqliteStore store, StoreLedger ledger) {
        super(ledger);
        this.store = store;
        this.ledger = ledger;
    }

    static TestLedger open(SqliteOptions options, LedgerContext context) {
        return open(SqliteConnection.Driver.real(), options, context);
    }

    static TestLedger open(SqliteConnection.Driver driver, SqliteOptions options, LedgerContext context) {
        SqliteStore store = new SqliteStore(driver, options, context);
        return new TestLedger(store, new StoreLedger(store, context.processes()));
    }

    long commitCount() {
        return store.commitCount();
    }

    int waitingWriters() {
        return store.waitingWriters();
    }

    /** Renews for a minute, and gives the tickets that are lost. */
    Set<Ticket> renewAll(Ticket... tickets) {
        return ledger.renewAll(
                        Stream.of(tickets).collect(Collectors.toMap(each -> each, each -> Duration.ofMinutes(1))))
                .lost();
    }

    List<TrailLine> trail(Address address) {
        return ledger.trail(address);
    }

    private Browsable browsable() {
        return ledger.as(Browsable.class).orElseThrow();
    }

    @Override
    public Page browse(Query query) {
        return browsable().browse(query);
    }

    @Override
    public int purge(int limit) {
        return browsable().purge(limit);
    }

    @Override
    public OptionalLong purgeable() {
        return browsable().purgeable();
    }

    @Override
    public Stats stats() {
        return browsable().stats();
    }

    @Override
    public Counts counts(Query query) {
        return browsable().counts(query);
    }

    @Override
    public Watch watch(Address address, Runnable wake) {
        return store.watch(address, wake);
    }

    @Override
    public String describe() {
        return inner.describe();
    }
}
