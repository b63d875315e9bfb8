/** The ledger in a SQLite file. */
module dev.idem.sqlite {
    requires transitive dev.idem.core;
    requires dev.idem.sql;
    requires transitive java.sql;
    requires org.xerial.sqlitejdbc;
    requires static org.jspecify;
}
