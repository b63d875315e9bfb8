package dev.idem;

/** Something a caller should know although the call went well. */
public record Warning(Code code, String message) {
    /** What it is about. */
    public enum Code {
        /** The content differs from that of the first call. */
        REWORDED,
        /** The stored entry, or this call, has no fingerprint: nothing could be compared. */
        NOT_COMPARED,
        /** The identity holds fields that look as if they change on every call. */
        VOLATILE_IDENTITY,
        /** The result could not be stored: duplicates will be told so. */
        NOT_REPLAYABLE,
        /** The action ran on past its time limit or its lease; nobody had taken over. */
        OVERRAN
    }
}
