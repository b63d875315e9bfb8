package dev.idem.cli.batch;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How the lines of a batch ended. */
final class Tally {
    private static final int MOST_SHOWN = 20;

    /** How one line ended. */
    enum End {
        RAN,
        REPLAYED,
        FAILED,
        IN_DOUBT,
        IN_FLIGHT,
        CONFLICT;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        boolean isBad() {
            return this != RAN && this != REPLAYED;
        }
    }

    private int total;
    private boolean whole;
    private final Map<End, Integer> counts = new EnumMap<>(End.class);
    private final List<Map<String, Object>> problems = new ArrayList<>();

    /** How many lines have been read, and whether these are all. A number that was known before stays. */
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
        if (item != null && end.isBad() && problems.size() < MOST_SHOWN) {
            Map<String, Object> problem = new LinkedHashMap<>();
            problem.put("line", item.number());
            problem.put("key", item.address().key());
            problem.put("state", end.word());
            problems.add(problem);
        }
    }

    int total() {
        return total;
    }

    int of(End end) {
        return counts.getOrDefault(end, 0);
    }

    int done() {
        int done = 0;
        for (int count : counts.values()) {
            done += count;
        }
        return done;
    }

    int bad() {
        int bad = 0;
        for (End end : End.values()) {
            bad += end.isBad() ? of(end) : 0;
        }
        return bad;
    }

    String words() {
        StringBuilder words = new StringBuilder(Integer.toString(done()));
        words.append(whole ? " of " + total : "").append(" lines");
        for (End end : End.values()) {
            if (of(end) > 0) {
                words.append(", ").append(of(end)).append(' ').append(end.word().replace('_', ' '));
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
        fields.put("problems", problems);
        return fields;
    }
}
