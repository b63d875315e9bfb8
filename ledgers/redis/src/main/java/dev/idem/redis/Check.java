package dev.idem.redis;

/** How an opening treats unsafe settings of the server. */
enum Check {
    /** Refuses a server that may evict entries or does not show its settings. */
    ON,
    /** Uses it, with a warning. */
    WARN,
    /** Does not check the server. */
    OFF
}
