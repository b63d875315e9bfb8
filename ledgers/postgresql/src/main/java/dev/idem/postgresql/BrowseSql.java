package dev.idem.postgresql;

import dev.idem.entry.State;
import dev.idem.ledger.Query;
import dev.idem.sql.Texts;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The statement for a query: everything that can match, newest claim first; states are judged row by row. */
final class BrowseSql {
    private static final int AT_ONCE = 500;

    private final StringBuilder conditions = new StringBuilder("e.fence < ?");
    /** One for each label: an entry is found by them first. */
    private final List<Database.Binding> joined = new ArrayList<>();

    private final List<Database.Binding> bindings = new ArrayList<>();
    private final boolean rare;

    private BrowseSql(Query query, long below, long swept) {
        bindings.add(parameters -> parameters.number(below));
        and("e.scope = ?", query.scope());
        and("e.operation = ?", query.operation());
        and("e.key = ?", query.key());
        Map<String, String> labels = Stored.plain(query.labels());
        labels.forEach((name, value) ->
                joined.add(parameters -> parameters.text(name).text(value).number(below)));
        // Two labels may have one number.
        and("{has-labels}", Texts.labels(labels));
        age("e.claimed <= now.at - ?", query.olderThan());
        age("e.claimed >= now.at - ?", query.newerThan());
        rare = rare(query.states());
        if (!query.states().isEmpty()) {
            states(query.states());
        }
        if (rare) {
            // The number itself: the server plans by it.
            conditions.append(" AND (e.notable OR e.fence > ").append(swept).append(')');
        }
    }

    /** Whether they are few among much that is complete: those are gathered first, and put in order then. */
    static boolean rare(Set<State> asked) {
        return !asked.isEmpty() && !asked.contains(State.COMPLETE) && !asked.contains(State.EXPIRED);
    }

    /** How many rows to ask for at once; of what is in progress, most may not be in doubt. */
    int rowsAtOnce(int limit) {
        return rare ? Math.max(limit + 1, AT_ONCE) : limit + 1;
    }

    /** What matches and was granted before {@code below}; what is rare is notable, or was granted after {@code swept}. */
    static BrowseSql of(Query query, long below, long swept) {
        return new BrowseSql(query, below, swept);
    }

    String text(Statements statements) {
        // Otherwise the server might walk through everything by its fences, and leave out what does not match.
        return statements
                .get("browse")
                .replace("{joins}", joins(statements.get("with-label")))
                .replace("{conditions}", conditions)
                .replace("{has-labels}", statements.get("has-labels"))
                .replace("{order}", rare ? "(e.fence + 0)" : "e.fence");
    }

    private String joins(String withLabel) {
        return IntStream.range(0, joined.size())
                .mapToObj(n -> " " + withLabel.replace("{n}", Integer.toString(n)))
                .collect(Collectors.joining());
    }

    void bind(Parameters parameters) throws SQLException {
        for (Database.Binding binding : joined) {
            binding.bind(parameters);
        }
        for (Database.Binding binding : bindings) {
            binding.bind(parameters);
        }
    }

    private void and(String condition, @Nullable String value) {
        if (value != null) {
            and(condition, parameters -> parameters.text(value));
        }
    }

    private void age(String condition, @Nullable Duration age) {
        if (age != null) {
            and(condition, parameters -> parameters.duration(age));
        }
    }

    private void and(String condition, Database.Binding binding) {
        conditions.append(" AND ").append(condition);
        bindings.add(binding);
    }

    /** What may have been written for entries that now count as one of these. */
    private void states(Set<State> asked) {
        List<String> written = new ArrayList<>();
        if (asked.contains(State.IN_PROGRESS) || asked.contains(State.IN_DOUBT) || asked.contains(State.FAILED)) {
            // A lapsed lease counts as in doubt, or as failed, whether or not anyone has written it down.
            written.add("'in_progress', 'in_doubt'");
        }
        if (asked.contains(State.COMPLETE) || asked.contains(State.EXPIRED)) {
            written.add("'complete'");
        }
        if (asked.contains(State.FAILED) || asked.contains(State.EXPIRED)) {
            written.add("'failed'");
        }
        if (asked.contains(State.EXPIRED)) {
            written.add("'expired'");
        }
        conditions
                .append(" AND e.state IN (")
                .append(String.join(", ", written))
                .append(')');
    }
}
