package dev.idem.agent.batch;

import java.time.Duration;
import java.util.List;

/**
 * The result of a run of a batch. Immutable.
 *
 * @param counts how many items ended in which way
 * @param troubles the first of the items that are not complete, in the order in which they ended
 * @param stopped why the run ended early; empty if it went through all items
 * @param took how long it took
 */
public record BatchReport(String job, Counts counts, List<ItemTrouble> troubles, String stopped, Duration took) {
    private static final int SHOWN = 20;

    /** Keeps a copy of the troubles. */
    public BatchReport {
        troubles = List.copyOf(troubles);
    }

    /**
     * How many items ended in which way.
     *
     * @param done by this run
     * @param skipped since they were complete
     * @param failed and will be tried again by the next run
     * @param inDoubt and wait for a probe or a person
     * @param inFlight in another process
     */
    public record Counts(long done, long skipped, long failed, long inDoubt, long inFlight) {
        /** How many items were looked at. */
        public long seen() {
            return done + skipped + failed + inDoubt + inFlight;
        }

        /** How many items this run has tried itself. */
        public long tried() {
            return done + failed + inDoubt;
        }
    }

    /** Whether every item has taken effect, once. */
    public boolean complete() {
        return stopped.isEmpty() && counts.done() + counts.skipped() == counts.seen();
    }

    /** The report in words: a line of numbers, and a line for each of the first troubles. */
    public String text() {
        StringBuilder text = new StringBuilder(job)
                .append(": ")
                .append(numbers(counts))
                .append(" in ")
                .append(BatchWords.duration(took));
        if (!stopped.isEmpty()) {
            text.append("; stopped: ").append(stopped);
        }
        troubles.stream()
                .limit(SHOWN)
                .forEach(trouble -> text.append("\n  ")
                        .append(trouble.id())
                        .append(' ')
                        .append(trouble.state().words())
                        .append(": ")
                        .append(trouble.reason()));
        long untold = counts.failed() + counts.inDoubt() + counts.inFlight() - Math.min(SHOWN, troubles.size());
        if (untold > 0) {
            text.append("\n  and ").append(BatchWords.number(untold)).append(" more");
        }
        return text.toString();
    }

    /** The numbers that are always said, and those that are said when they are not zero. */
    static String numbers(Counts counts) {
        return BatchWords.number(counts.done()) + " done, " + BatchWords.number(counts.skipped()) + " skipped, "
                + BatchWords.number(counts.failed()) + " failed, " + BatchWords.number(counts.inDoubt()) + " in doubt"
                + (counts.inFlight() == 0 ? "" : ", " + BatchWords.number(counts.inFlight()) + " in flight elsewhere");
    }

    @Override
    public String toString() {
        return text();
    }
}
