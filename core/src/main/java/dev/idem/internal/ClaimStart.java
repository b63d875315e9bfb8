package dev.idem.internal;

/**
 * The time at which a claim was sent, or slightly earlier, so that its lease never counts as longer than it is.
 *
 * @param nanos by the monotonic clock
 * @param wall by the wall clock, in milliseconds
 * @param remembered how many entries the near cache had dropped by then
 */
record ClaimStart(long nanos, long wall, long remembered) {
    static ClaimStart now(Engine engine) {
        return at(engine, engine.settings.nanos().getAsLong());
    }

    static ClaimStart at(Engine engine, long nanos) {
        return new ClaimStart(nanos, engine.settings.wall().getAsLong(), engine.remembered());
    }
}
