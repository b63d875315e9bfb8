package dev.idem.postgresql;

import dev.idem.LedgerException;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.store.StoreLedger;
import javax.sql.DataSource;

/**
 * Opens ledgers in a PostgreSQL database, for any number of processes on any number of hosts. Times are the server's.
 *
 * <pre>{@code
 * Ledger ledger = PostgresqlLedger.open(dataSource, PostgresqlSettings.defaults().withSchema("idem"));
 * }</pre>
 */
public final class PostgresqlLedger {
    private PostgresqlLedger() {}

    static Ledger open(PostgresqlUrl url, LedgerContext context) {
        PostgresqlErrors errors =
                new PostgresqlErrors(url.where(), url.settings().schema());
        return open(new Server(url.where(), url.settings(), errors, Database.pooled(url, errors)), context);
    }

    /**
     * Opens a ledger on connections of the caller. Closing the ledger does not close them.
     *
     * @throws LedgerException when it can't be opened; the message says what to do
     */
    public static Ledger open(DataSource connections, PostgresqlSettings settings) {
        return open(connections, settings, LedgerContext.ofHost(Host.system()));
    }

    /**
     * The same, with an injected context.
     *
     * @throws LedgerException when it can't be opened; the message says what to do
     */
    public static Ledger open(DataSource connections, PostgresqlSettings settings, LedgerContext context) {
        String where = "postgresql: (the given data source)";
        PostgresqlErrors errors = new PostgresqlErrors(where, settings.schema());
        return open(new Server(where, settings, errors, Database.of(connections, errors)), context);
    }

    private static Ledger open(Server server, LedgerContext context) {
        try {
            Opening opening = new Opening(server);
            if (context.readOnly()) {
                opening.look();
            } else {
                opening.open();
            }
        } catch (RuntimeException e) {
            server.database().close();
            throw e;
        }
        PostgresqlStore store = server.settings().notifies() ? new NotifyingStore(server) : new PostgresqlStore(server);
        return new StoreLedger(store, context.processes());
    }
}
