package dev.idem.jsonl;

/**
 * What a line does to the index.
 *
 * @param offset where the line begins in the file
 * @param length how long it is, with its end
 */
record Change(
        long hashHigh, long hashLow, LineHead.Kind kind, long offset, int length, long fence, long due, int replays) {

    static Change of(LineHead head, long offset, int length) {
        return new Change(head.hashHigh, head.hashLow, head.kind, offset, length, head.fence, head.due, head.replays);
    }
}
