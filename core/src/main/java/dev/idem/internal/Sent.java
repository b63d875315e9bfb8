package dev.idem.internal;

/**
 * When a claim was sent, or a little before: a lease is trusted less then, not more.
 *
 * @param nanos by the monotonic clock
 * @param wall by the wall clock, in milliseconds
 * @param remembered what the near cache had dropped by then
 */
record Sent(long nanos, long wall, long remembered) {
    static Sent now(Engine engine) {
        return at(engine, engine.settings.nanos().getAsLong());
    }

    static Sent at(Engine engine, long nanos) {
        return new Sent(nanos, engine.settings.wall().getAsLong(), engine.remembered());
    }
}
