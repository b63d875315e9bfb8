package dev.idem.benchmarks;

/**
 * What calls may cost at most, or must reach at least: the only place where the measurements take their limits from. Times
 * are in nanoseconds; {@link #of} gets what {@link #words} speak of.
 */
enum Budget {
    /** A first call on a ledger with a server: times the same statements or scripts by hand. */
    FIRST_CALL_NETWORKED("≤ 1.3 ×", 1.3),
    /** A replay on a ledger with a server: beyond the same statement or script by hand. */
    REPLAY_NETWORKED("≤ + 60 µs", 60e3),
    /** A first call on SQLite, one thread: times two bare commits. */
    FIRST_CALL_SQLITE("≤ 2 ×", 2),
    REPLAY_SQLITE("≤ 60 µs", 60e3),
    FIRST_CALL_MEMORY("≤ 3 µs", 3e3),
    REPLAY_MEMORY("≤ 1.5 µs", 1.5e3),
    /** Writes a second of 64 threads: of what bare rows reach that share a commit. */
    GROUPED_SQLITE("≥ 35 %", 0.35),
    GROUPED_JSONL("≥ 30 %", 0.30),
    /** How much longer than half of the calls of 64 threads 99 of 100 take. */
    SPREAD("p99 ≤ 5 × p50", 5),
    /** A first call over a pipe: beyond 1.5 times the same call in this process. */
    FIRST_CALL_OVER_A_PIPE("≤ 1.5 × + 0.3 ms", 0.3e6),
    REPLAY_OVER_A_PIPE("≤ 0.5 ms", 0.5e6),
    /** Any call over HTTP: beyond the same call in this process. */
    OVER_HTTP("≤ + 1 ms", 1e6),
    GUARDED_CALLS_A_SECOND("≥ 1,000/s", 1_000),
    MCP_MESSAGE("≤ + 0.2 ms", 0.2e6),
    /** A guarded call of an MCP server: times the ledger's own two trips. */
    MCP_CALL("≤ 1.6 ×", 1.6),
    OPENING_JSONL("≤ 5 s for a million", 5e9),
    BYTES_AN_ENTRY_JSONL("≤ 400 bytes", 400),
    /** {@code idem run -- true}: times a Java program that prints a line. */
    START("≤ 4.6 ×", 4.6);

    private final String words;
    private final double limit;

    Budget(String words, double limit) {
        this.words = words;
        this.limit = limit;
    }

    /** The limit as the report shows it. */
    String words() {
        return words;
    }

    /** Whether this value keeps the promise. */
    Row.Verdict of(double value) {
        return Row.Verdict.of(words.startsWith("≥") ? value >= limit : value <= limit);
    }
}
