package dev.idem.benchmarks;

/**
 * One line of the report.
 *
 * @param path the measured operation
 * @param measured the value of Idem
 * @param floor the value of the floor, in the same run
 * @param compared the two compared
 * @param budget the promised limit
 */
record Row(String path, String measured, String floor, String compared, String budget, Verdict verdict) {
    /** Whether the promise was held in this run. */
    enum Verdict {
        HELD("held"),
        MISSED("MISSED"),
        /** Without a promise, for information. */
        NONE("");

        private final String word;

        Verdict(String word) {
            this.word = word;
        }

        static Verdict of(boolean held) {
            return held ? HELD : MISSED;
        }

        String word() {
            return word;
        }
    }

    /** A line with a promise about this value. */
    static Row of(String path, String measured, String floor, String compared, Budget budget, double value) {
        return new Row(path, measured, floor, compared, budget.words(), budget.of(value));
    }

    /** A line without a promise. */
    static Row withoutPromise(String path, String measured, String floor, String compared) {
        return new Row(path, measured, floor, compared, "", Verdict.NONE);
    }
}
