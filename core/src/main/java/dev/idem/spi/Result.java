package dev.idem.spi;

/** What a completed operation left behind. That there is a result is a state of its own, never a {@code null}. */
public sealed interface Result {
    /** A result that can be replayed. */
    record Stored(Payload payload) implements Result {}

    /**
     * The effect took place, but its result can't be replayed: it could not be serialised, or is too large.
     *
     * @param why said to every duplicate instead of the result
     */
    record Unavailable(String why) implements Result {}
}
