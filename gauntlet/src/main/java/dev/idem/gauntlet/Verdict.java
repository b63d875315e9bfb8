package dev.idem.gauntlet;

/**
 * What was observed in a scenario, and whether it is right.
 *
 * <p>The rule, stated once: it is right when the effect took place once for each key, nobody got a value that its own
 * operation with its own payload did not make, and nobody was left with a false belief. An exception that refuses a
 * duplicate is right. To drop a duplicate without a word is right only when an earlier call for the same thing is known
 * to have succeeded.
 */
record Verdict(Grade grade, String observed) {
    /** Right or wrong by the rule, or not asked. */
    enum Grade {
        RIGHT("right"),
        WRONG("WRONG"),
        NOT_OFFERED("-"),
        /** The scenario itself failed, which says nothing about the contender. */
        NOT_JUDGED("?");

        private final String word;

        Grade(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    static Verdict of(boolean right, String observed) {
        return new Verdict(right ? Grade.RIGHT : Grade.WRONG, observed);
    }

    static Verdict notOffered() {
        return new Verdict(Grade.NOT_OFFERED, "not offered");
    }

    static String runs(long count) {
        return count == 1 ? "1 run" : count + " runs";
    }
}
