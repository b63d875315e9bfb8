package dev.idem.testkit;

/** What ledgers differ in. {@link PromiseContract} finds out by trying which of them a ledger gives. */
public enum Promise {
    /** What was settled is there when the store is opened again. */
    SURVIVES("entries outlive the ledger object"),
    /** Two open ledgers on one store keep each other from granting a key twice. */
    SHARED("several open ledgers share a store"),
    /** A step of the wall clock, while no time passes, ends no lease. */
    STEP_PROOF("a stepped wall clock lapses no lease"),
    /** An owner whose process has ended is not waited for. */
    KNOWS_THE_DEAD("a dead owner is in doubt at once"),
    /** After a forget, and after an expiry that was purged, the next fence is higher. */
    FENCE_SURVIVES_REMOVAL("fences grow past forget, expiry and purge"),
    /** The same, when the store was closed in between. */
    FENCE_SURVIVES_REOPENING("fences grow past a new start"),
    /** The same, a month after a forget, when the clock has gone back by a year. */
    FENCE_SURVIVES_EVERYTHING("fences grow for ever, even if the clock goes back"),
    /** {@link dev.idem.spi.Browsable}. */
    BROWSABLE("browse, purge, stats"),
    /** {@link dev.idem.spi.Awaitable}. */
    AWAITABLE("wakes waiters"),
    /** {@link dev.idem.spi.Historied}. */
    HISTORIED("a trail for each entry"),
    /** {@link dev.idem.spi.GroupRenewing}. */
    GROUP_RENEWING("one heartbeat for all running calls"),
    /** {@link dev.idem.spi.Transactional}. */
    TRANSACTIONAL("one transaction with the rows of the action"),
    /** The entry tells how often it has answered a duplicate. */
    COUNTS_REPLAYS("replays are counted");

    private final String words;

    Promise(String words) {
        this.words = words;
    }

    /** How tables of ledgers and promises call it. */
    public String words() {
        return words;
    }
}
