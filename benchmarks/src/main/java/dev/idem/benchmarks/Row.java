package dev.idem.benchmarks;

/**
 * One line of the report.
 *
 * @param path what was done
 * @param measured what it took with Idem
 * @param floor what the plainest thing took, in the same run
 * @param compared the two side by side
 * @param budget what was promised
 */
record Row(String path, String measured, String floor, String compared, String budget, Verdict verdict) {
    /** Whether the promise was held in this run. */
    enum Verdict {
        HELD("held"),
        MISSED("MISSED"),
        /** Nothing was promised: it is there to be looked at. */
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

    /** A line without a promise. */
    static Row told(String path, String measured, String floor, String compared) {
        return new Row(path, measured, floor, compared, "", Verdict.NONE);
    }
}
