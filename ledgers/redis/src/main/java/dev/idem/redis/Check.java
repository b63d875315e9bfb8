package dev.idem.redis;

/** What is made of the server's settings when a ledger is opened. */
enum Check {
    /** A server that may evict entries, or that does not tell, is refused. */
    ON,
    /** It is used, with a warning. */
    WARN,
    /** The server is not asked. */
    OFF
}
