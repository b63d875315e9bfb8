/** The one dependency: core, the agent layer and the SQLite ledger. */
module dev.idem {
    requires transitive dev.idem.agent;
    requires transitive dev.idem.core;
    requires transitive dev.idem.sqlite;
}
