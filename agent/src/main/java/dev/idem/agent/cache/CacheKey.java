package dev.idem.agent.cache;

/**
 * The place of a value in this process. It belongs to one generation of its region: after a clear, no caller asks for the
 * old places, and a load that was running then ends in one of them.
 */
record CacheKey(Region region, long generation, String tool, String key) {
    /** Shows no arguments. */
    @Override
    public String toString() {
        return tool;
    }
}
