/** The one dependency: core and the SQLite ledger. */
module dev.idem {
    requires transitive dev.idem.core;
    requires transitive dev.idem.sqlite;
}
