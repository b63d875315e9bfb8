package dev.idem.sqlite;

import dev.idem.entry.Moment;
import dev.idem.entry.State;
import dev.idem.ledger.Query;
import dev.idem.sql.Micros;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The statement for a query: everything that can match, newest claim first; states are judged row by row. */
final class BrowseSql {
    private final StringBuilder conditions = new StringBuilder("fence < ?");
    private final List<Object> parameters = new ArrayList<>();

    private BrowseSql(Query query, Moment now) {
        parameters.add(query.after() == null ? Long.MAX_VALUE : cursor(query.after()));
        if (query.scope() != null) {
            and("scope = ?", query.scope());
        }
        if (query.operation() != null) {
            and("operation = ?", query.operation());
        }
        if (query.key() != null) {
            and("key = ?", query.key());
        }
        query.labels()
                .forEach((name, value) ->
                        and("fence IN (SELECT fence FROM label WHERE name = ? AND value = ?)", name, value));
        if (query.olderThan() != null) {
            and("claimed <= ?", Micros.of(now.wall().minus(query.olderThan())));
        }
        if (query.newerThan() != null) {
            and("claimed >= ?", Micros.of(now.wall().minus(query.newerThan())));
        }
        if (!query.states().isEmpty()) {
            states(stored(query.states()));
        }
    }

    static BrowseSql of(Query query, Moment now) {
        return new BrowseSql(query, now);
    }

    String text() {
        return Session.STATEMENTS.get("browse").replace("{conditions}", conditions);
    }

    void bind(PreparedStatement statement) throws SQLException {
        for (int i = 0; i < parameters.size(); i++) {
            statement.setObject(i + 1, parameters.get(i));
        }
    }

    private void and(String condition, Object... values) {
        conditions.append(" AND ").append(condition);
        parameters.addAll(List.of(values));
    }

    private void states(Set<State> stored) {
        conditions.append(stored.stream()
                .map(state -> "'" + state.word() + "'")
                .collect(Collectors.joining(", ", " AND state IN (", ")")));
        if (!stored.contains(State.COMPLETE)) {
            // Word for word the condition of the index on what is unfinished, without which SQLite does not take it.
            conditions.append(" AND state <> 'complete'");
        }
    }

    /** What may have been written for entries that now count as one of these. */
    private static Set<State> stored(Set<State> asked) {
        Set<State> stored = EnumSet.copyOf(asked);
        if (asked.contains(State.IN_DOUBT) || asked.contains(State.FAILED)) {
            stored.add(State.IN_PROGRESS);
        }
        if (asked.contains(State.EXPIRED)) {
            stored.add(State.COMPLETE);
            stored.add(State.FAILED);
        }
        return stored;
    }

    private static long cursor(String after) {
        try {
            return Long.parseLong(after);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "'" + after + "' is no place to go on from; use the next() of a page", e);
        }
    }
}
