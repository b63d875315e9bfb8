package dev.idem.gauntlet;

/**
 * The observation in a scenario, and whether it is right.
 *
 * <p>The rule: it is right if the effect took place once for each key, every caller got only values that its own
 * operation with its own payload made, and no caller was left with a false belief. An exception that refuses a
 * duplicate is right. To drop a duplicate silently is right only if an earlier call for the same thing has succeeded.
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
