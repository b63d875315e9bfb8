package dev.idem.sqlite;

import dev.idem.entry.Moment;
import dev.idem.entry.State;
import dev.idem.ledger.Query;
import dev.idem.sql.Micros;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

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
            states(query.states());
        }
    }

    static BrowseSql of(Query query, Moment now) {
        return new BrowseSql(query, now);
    }

    String text() {
        return SqliteConnection.STATEMENTS.get("browse").replace("{conditions}", conditions);
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

    /** What may have been written for entries that now count as one of these, in words that the indexes serve. */
    private void states(Set<State> asked) {
        List<String> any = new ArrayList<>();
        if (asked.contains(State.IN_PROGRESS) || asked.contains(State.IN_DOUBT) || asked.contains(State.FAILED)) {
            // A lapsed lease counts as in doubt, or as failed, whether or not anyone has written it down.
            any.add(SqliteConnection.STATEMENTS.get("is-open"));
        }
        if (asked.contains(State.COMPLETE) || asked.contains(State.EXPIRED)) {
            any.add("state = 'complete'");
        }
        if (asked.contains(State.FAILED) || asked.contains(State.EXPIRED)) {
            any.add("fence IN (SELECT fence FROM failed)");
        }
        if (asked.contains(State.EXPIRED)) {
            any.add("state = 'expired'");
        }
        and("(" + String.join(" OR ", any) + ")");
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
