package dev.idem;

/** A problem that a caller should know although the call succeeded. */
public record Warning(Code code, String message) {
    /** The kind of the problem. */
    public enum Code {
        /** The content differs from that of the first call. */
        REWORDED,
        /** The stored entry or this call has no fingerprint, so nothing could be compared. */
        NOT_COMPARED,
        /** The identity holds fields that look as if they change on every call. */
        VOLATILE_IDENTITY,
        /** The result could not be stored. Duplicates get a {@link ResultUnavailableException}. */
        NOT_REPLAYABLE,
        /** The action ran longer than its time limit or its lease, and no other owner had taken over. */
        OVERRAN,
        /**
         * The action is {@linkplain Policy#staged() staged}, and has ended without a mark. If its process had died after
         * the effect, it would run again.
         */
        UNMARKED
    }
}
