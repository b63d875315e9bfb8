package dev.idem.agent.cache;

import org.jspecify.annotations.Nullable;

/**
 * Where a value is kept in this process. It belongs to one generation of its region: when that is cleared, nobody asks
 * for the old spots any more, and a load that was under way lands in one of them.
 */
final class Spot {
    private final Region region;
    private final long generation;
    private final String tool;
    private final String key;
    private final int hash;

    Spot(Region region, long generation, String tool, String key) {
        this.region = region;
        this.generation = generation;
        this.tool = tool;
        this.key = key;
        this.hash = ((31 * System.identityHashCode(region) + Long.hashCode(generation)) * 31 + tool.hashCode()) * 31
                + key.hashCode();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Spot that
                && region == that.region
                && generation == that.generation
                && key.equals(that.key)
                && tool.equals(that.tool);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** Shows no arguments. */
    @Override
    public String toString() {
        return "Spot[" + tool + "]";
    }
}
