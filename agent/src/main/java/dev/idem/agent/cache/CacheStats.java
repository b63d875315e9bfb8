package dev.idem.agent.cache;

/**
 * Counts the events of a cache since it was made.
 *
 * @param hits answered by this process
 * @param shared waited for a load that was under way in this process
 * @param storeHits answered by the store
 * @param loads the loader ran
 * @param failures loads that threw; nothing was kept
 * @param unstored loads that the store could not keep
 * @param clears regions that were cleared
 */
public record CacheStats(
        long hits, long shared, long storeHits, long loads, long failures, long unstored, long clears) {
    /** Calls that were answered without a load of their own, from 0 to 1. */
    public double hitRate() {
        long all = hits + shared + storeHits + loads;
        return all == 0 ? 0 : (double) (hits + shared + storeHits) / all;
    }
}
