/** What ledgers in SQL databases share. */
module dev.idem.sql {
    requires transitive dev.idem.core;
    requires transitive java.sql;
    requires static org.jspecify;

    exports dev.idem.sql;
}
