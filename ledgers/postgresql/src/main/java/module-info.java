/** The ledger in a PostgreSQL database. */
@SuppressWarnings("requires-automatic") // the driver is no module, but has reserved its name
module dev.idem.postgresql {
    requires transitive dev.idem.core;
    requires transitive java.sql;
    requires com.zaxxer.hikari;
    requires org.postgresql.jdbc;
    requires static org.checkerframework.checker.qual;
    requires static org.jspecify;

    exports dev.idem.postgresql;

    provides dev.idem.spi.LedgerProvider with
            dev.idem.postgresql.PostgresqlLedgerProvider;
}
