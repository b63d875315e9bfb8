/** The packages for callers, the packages for authors of ledgers, and the engine behind them. */
@SuppressWarnings("module") // the modules that share internals are built after this one
module dev.idem.core {
    requires static java.sql;
    requires static org.jspecify;

    exports dev.idem;
    exports dev.idem.seal;
    exports dev.idem.spi;
    exports dev.idem.spi.browse;
    exports dev.idem.spi.store;
    exports dev.idem.internal.call to
            dev.idem.server;
    exports dev.idem.internal.codec to
            dev.idem.agent,
            dev.idem.cli,
            dev.idem.jsonl,
            dev.idem.server;
    exports dev.idem.internal.json to
            dev.idem.agent,
            dev.idem.cli,
            dev.idem.clikit,
            dev.idem.http,
            dev.idem.jsonl,
            dev.idem.mcp,
            dev.idem.server;
    exports dev.idem.internal.key to
            dev.idem.agent,
            dev.idem.cli,
            dev.idem.clikit,
            dev.idem.command,
            dev.idem.mcp;
    exports dev.idem.internal.ledger to
            dev.idem.jsonl,
            dev.idem.postgresql,
            dev.idem.redis,
            dev.idem.remote,
            dev.idem.sqlite;
    exports dev.idem.internal.sql to
            dev.idem.postgresql,
            dev.idem.sqlite;
    exports dev.idem.internal.wait to
            dev.idem.agent;
    exports dev.idem.internal.wire to
            dev.idem.remote,
            dev.idem.server;

    uses dev.idem.Codec;
    uses dev.idem.spi.LedgerProvider;

    provides dev.idem.spi.LedgerProvider with
            dev.idem.spi.store.MemoryLedgerProvider;
}
