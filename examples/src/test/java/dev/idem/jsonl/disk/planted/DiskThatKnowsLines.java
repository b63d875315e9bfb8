package dev.idem.jsonl.disk.planted;

import dev.idem.jsonl.line.LineBuffer;

/** Breaks a rule, so that the rule is seen to go red. */
public final class DiskThatKnowsLines {
    public final Class<?> type = LineBuffer.class;
}
