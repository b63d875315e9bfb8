/** The ledger in a SQLite file. */
module dev.idem.sqlite {
    requires transitive dev.idem.core;
    requires java.sql;
    requires org.xerial.sqlitejdbc;
    requires static org.jspecify;

    exports dev.idem.sqlite;

    provides dev.idem.spi.LedgerProvider with
            dev.idem.sqlite.SqliteLedgerProvider;
}
