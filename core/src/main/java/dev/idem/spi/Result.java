package dev.idem.spi;

/** The result of a completed operation. A missing result is a case of its own, never a {@code null}. */
public sealed interface Result {
    /** A result that can be replayed. */
    record Stored(Payload payload) implements Result {}

    /**
     * The effect took place, but its result can't be replayed: it could not be serialised, or is too large.
     *
     * @param why the reason, which every duplicate gets instead of the result
     */
    record Unavailable(String why) implements Result {}
}
