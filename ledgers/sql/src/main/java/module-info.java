/** Shared code of ledgers in SQL databases. */
module dev.idem.sql {
    requires transitive dev.idem.core;
    requires transitive java.sql;
    requires static org.jspecify;

    exports dev.idem.sql;
}
