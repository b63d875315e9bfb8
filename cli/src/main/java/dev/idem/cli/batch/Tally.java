package dev.idem.cli.batch;

import dev.idem.Outcome;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts the outcomes of the lines of a batch. */
final class Tally {
    private static final int MOST_SHOWN = 20;

    /** The outcome of a line. */
    enum End {
        RAN,
        REPLAYED,
        FAILED,
        IN_DOUBT,
        IN_FLIGHT,
        CONFLICT;

        /** The outcome of a line for the outcome of its call. */
        static End of(Outcome<?> outcome) {
            if (outcome instanceof Outcome.Done) {
                return RAN;
            } else if (outcome instanceof Outcome.InFlight) {
                return IN_FLIGHT;
            } else if (outcome instanceof Outcome.Conflict) {
                return CONFLICT;
            } else if (outcome instanceof Outcome.InDoubt) {
                return IN_DOUBT;
            }
            // Expired and unavailable: the line is done, only its output is missing.
            return outcome instanceof Outcome.Failed ? FAILED : REPLAYED;
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        String words() {
            return word().replace('_', ' ');
        }

        boolean isBad() {
            return this != RAN && this != REPLAYED;
        }
    }

    private int total;
    private boolean whole;
    private final Map<End, Integer> counts = new EnumMap<>(End.class);
    private final List<Bad> bad = new ArrayList<>();

    /** A line that failed or is in doubt. */
    record Bad(Item item, End end) {}

    /** Sets the number of lines read, and whether these are all. A known total stays. */
    void read(int lines, boolean all) {
        if (!whole) {
            total = lines;
            whole = all;
        }
    }

    /** Whether the number of lines is known. */
    boolean isWhole() {
        return whole;
    }

    void count(End end, @Nullable Item item) {
        counts.merge(end, 1, Integer::sum);
        if (item != null && end.isBad() && bad.size() < MOST_SHOWN) {
            bad.add(new Bad(item, end));
        }
    }

    int total() {
        return total;
    }

    int of(End end) {
        return counts.getOrDefault(end, 0);
    }

    int done() {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    int bad() {
        return done() - of(End.RAN) - of(End.REPLAYED);
    }

    String words() {
        StringBuilder words = new StringBuilder(Integer.toString(done()));
        words.append(whole ? " of " + total : "").append(" lines");
        for (End end : End.values()) {
            if (of(end) > 0) {
                words.append(", ").append(of(end)).append(' ').append(end.words());
            }
        }
        return words.toString();
    }

    Map<String, @Nullable Object> fields(String effect) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("effect", effect);
        fields.put("lines", total);
        fields.put("done", done());
        for (End end : End.values()) {
            fields.put(end.word(), of(end));
        }
        fields.put("problems", bad.stream().map(Tally::problem).toList());
        return fields;
    }

    private static Map<String, Object> problem(Bad line) {
        Map<String, Object> problem = new LinkedHashMap<>();
        problem.put("line", line.item().number());
        problem.put("key", line.item().address().key());
        problem.put("state", line.end().word());
        return problem;
    }

    /** The first lines that failed or are in doubt. */
    List<Bad> firstBad(int most) {
        return bad.subList(0, Math.min(most, bad.size()));
    }
}
