package dev.idem.testkit.contract;

/** The promises in which ledgers differ. {@link PromiseContract} tests which of them a ledger keeps. */
public enum Promise {
    /** Settled entries are there when the store is opened again. */
    SURVIVES("entries outlive the ledger object"),
    /** Two open ledgers on one store do not grant a key twice. */
    SHARED("several open ledgers share a store"),
    /** A step of the wall clock ends no lease. */
    STEP_PROOF("a stepped wall clock lapses no lease"),
    /** An entry is in doubt as soon as its owner's process has ended. */
    KNOWS_THE_DEAD("a dead owner is in doubt at once"),
    /** After a forget or a purge the next fence is higher. */
    FENCE_SURVIVES_REMOVAL("fences grow past forget, expiry and purge"),
    /** The same, if the store was closed in between. */
    FENCE_SURVIVES_REOPENING("fences grow past a new start"),
    /** The same, a month after a forget and with a clock that was set back by a year. */
    FENCE_SURVIVES_EVERYTHING("fences grow for ever, even if the clock goes back"),
    /** {@link dev.idem.spi.browse.Browsable}. */
    BROWSABLE("browse, purge, stats"),
    /** {@link dev.idem.spi.Awaitable}. */
    AWAITABLE("wakes waiters"),
    /** {@link dev.idem.spi.browse.Historied}. */
    HISTORIED("a trail for each entry"),
    /** {@link dev.idem.spi.GroupRenewing}. */
    GROUP_RENEWING("one heartbeat for all running calls"),
    /** {@link dev.idem.spi.Transactional}. */
    TRANSACTIONAL("one transaction with the rows of the action"),
    /** The entry counts its replays. */
    COUNTS_REPLAYS("replays are counted");

    private final String words;

    Promise(String words) {
        this.words = words;
    }

    /** Its name in tables of ledgers and promises. */
    public String words() {
        return words;
    }
}
