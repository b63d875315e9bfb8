/** What ledgers in SQL databases share. */
module dev.idem.sql {
    requires transitive dev.idem.core;
    requires transitive java.sql;
    requires static transitive org.jspecify;

    exports dev.idem.sql;
}
