package dev.idem.torture.check;

/** The rules that every run must keep. */
public enum Rule {
    ONE_OWNER("a ticket belongs to one call"),
    ONE_EFFECT("a second effect needs an attempt that was declared safe to run again"),
    NO_SILENT_RERUN("an attempt of unknown outcome is followed by another only where that is declared safe, or a probe "
            + "was told that it had not happened"),
    COMPLETE_IS_TERMINAL("nothing runs after an attempt that was acknowledged as complete"),
    NOTHING_LOST("what was acknowledged as complete stays so"),
    SAME_BYTES("every answer with a value has the same one"),
    OWN_IDENTITY("no call is given the result of another identity"),
    NOTHING_INVENTED("every value was made by an effect of its key"),
    FAILED_MEANS_NOTHING("what took effect is never said to have failed"),
    DOUBT_IS_KEPT("an unknown outcome ends in doubt or complete"),
    FAILURES_ARE_KEPT("nothing runs after a failure that is kept"),
    CONFLICTS_HAVE_A_CAUSE("a conflict needs another identity"),
    EXPIRY_HAS_A_CAUSE("only what took effect and leaves a tombstone is said to have expired"),
    FENCES_GROW("the fence of a grant is higher than all that were seen before it was asked for"),
    ROWS_AND_ENTRY("a row and the complete entry it belongs to are there together, or neither is"),
    NO_SURPRISES("whatever breaks, the ledger stays readable and calls throw what they say they throw"),
    EVERYTHING_ENDS("calls end, and so do the tickets of owners that are gone");

    private final String words;

    Rule(String words) {
        this.words = words;
    }

    /** The rule in a sentence. */
    public String words() {
        return words;
    }
}
