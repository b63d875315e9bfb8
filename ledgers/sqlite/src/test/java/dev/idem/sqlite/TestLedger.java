package dev.idem.sqlite;

import dev.idem.entry.Address;
import dev.idem.entry.Entry;
import dev.idem.entry.Fence;
import dev.idem.entry.Mark;
import dev.idem.entry.Settlement;
import dev.idem.entry.Ticket;
import dev.idem.ledger.Awaitable;
import dev.idem.ledger.Browsable;
import dev.idem.ledger.Claim;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.Ledger;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.Page;
import dev.idem.ledger.Query;
import dev.idem.ledger.Settled;
import dev.idem.ledger.Stats;
import dev.idem.ledger.TrailLine;
import dev.idem.spi.StoreLedger;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A SQLite ledger with its capabilities and its store at hand. */
final class TestLedger implements Ledger, Browsable, Awaitable {
    private final SqliteStore store;
    private final StoreLedger ledger;

    private TestLedger(SqliteStore store, LedgerContext context) {
        this.store = store;
        this.ledger = new StoreLedger(store, context.processes());
    }

    static TestLedger open(SqliteOptions options, LedgerContext context) {
        return open(SqliteConnection.Driver.real(), options, context);
    }

    static TestLedger open(SqliteConnection.Driver driver, SqliteOptions options, LedgerContext context) {
        return new TestLedger(new SqliteStore(driver, options, context), context);
    }

    long commitCount() {
        return store.commitCount();
    }

    int waitingWriters() {
        return store.waitingWriters();
    }

    @Override
    public Claim claim(ClaimRequest request) {
        return ledger.claim(request);
    }

    @Override
    public boolean renew(Ticket ticket, Duration lease) {
        return ledger.renew(ticket, lease);
    }

    /** Renews for a minute, and gives the tickets that are lost. */
    Set<Ticket> renewAll(Ticket... tickets) {
        return ledger.renewAll(
                        Stream.of(tickets).collect(Collectors.toMap(each -> each, each -> Duration.ofMinutes(1))))
                .lost();
    }

    @Override
    public boolean mark(Ticket ticket, Mark mark) {
        return ledger.mark(ticket, mark);
    }

    @Override
    public Settled settle(Ticket ticket, Settlement how) {
        return ledger.settle(ticket, how);
    }

    @Override
    public Optional<Entry> find(Address address) {
        return ledger.find(address);
    }

    @Override
    public boolean resolve(Address address, Fence seen, Settlement how) {
        return ledger.resolve(address, seen, how);
    }

    @Override
    public boolean forget(Entry seen) {
        return ledger.forget(seen);
    }

    @Override
    public <C> Optional<C> as(Class<C> capability) {
        return ledger.as(capability);
    }

    @Override
    public String describe() {
        return ledger.describe();
    }

    @Override
    public void close() {
        ledger.close();
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
    public Watch watch(Address address, Runnable wake) {
        return store.watch(address, wake);
    }
}
