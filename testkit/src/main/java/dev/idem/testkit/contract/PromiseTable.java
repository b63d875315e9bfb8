package dev.idem.testkit.contract;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A Markdown table of ledgers and promises: a column for each ledger, a row for each {@link Promise} that begins with
 * its words, and cells that begin with {@code yes} or {@code no}.
 */
public final class PromiseTable {
    private final List<String> lines;

    private PromiseTable(List<String> lines) {
        this.lines = lines;
    }

    /** Finds the table on a page. */
    public static PromiseTable on(String page) {
        return new PromiseTable(page.lines().toList());
    }

    /**
     * The promises of a ledger by the table.
     *
     * @param ledger the heading of its column
     * @throws IllegalArgumentException if a promise has no row, the ledger no column, or a cell another answer
     */
    public Map<Promise, Boolean> of(String ledger) {
        Map<Promise, Boolean> said = new EnumMap<>(Promise.class);
        for (Promise promise : Promise.values()) {
            said.put(promise, cell(ledger, promise));
        }
        return Collections.unmodifiableMap(said);
    }

    private boolean cell(String ledger, Promise promise) {
        int row = row(promise.words())
                .orElseThrow(() -> new IllegalArgumentException("no row begins with '" + promise.words() + "'"));
        int head = row;
        while (head > 0 && lines.get(head - 1).startsWith("|")) {
            head--;
        }
        int column = cells(head).indexOf(ledger);
        if (column < 1) {
            throw new IllegalArgumentException("no column is called '" + ledger + "': " + lines.get(head));
        }
        String said = cells(row).get(column);
        if (!said.matches("(yes|no)\\b.*")) {
            throw new IllegalArgumentException(
                    "'" + promise.words() + "' of " + ledger + " is neither yes nor no: " + said);
        }
        return said.startsWith("yes");
    }

    private Optional<Integer> row(String words) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith("|") && cells(i).get(0).equals(words)) {
                return Optional.of(i);
            }
        }
        return Optional.empty();
    }

    /** Without code quotes, and with the text of links only. */
    private List<String> cells(int line) {
        String bare = lines.get(line).replace("`", "").replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1");
        return Arrays.stream(bare.substring(1).split("\\|", -1))
                .map(String::strip)
                .toList();
    }
}
