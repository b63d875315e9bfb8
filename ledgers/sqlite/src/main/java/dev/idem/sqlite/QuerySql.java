package dev.idem.sqlite;

import dev.idem.State;
import dev.idem.spi.browse.Match;
import dev.idem.spi.browse.Query;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The statement that searches the rows of a query, in the order of their fences.
 *
 * <p>SQLite knows no numbers about its rows, so this class counts up to a bound: a condition that few rows meet is looked
 * up by its index, and these rows are sorted. Rows of a condition that many meet are soon found in the order of the fences.
 */
final class QuerySql {
    private static final int FEW = 2000;
    private static final Set<State> OPEN = EnumSet.of(State.IN_PROGRESS, State.IN_DOUBT, State.FAILED);
    /** Word for word that of the index, which SQLite uses only then. */
    private static final String IS_OPEN = "state IN ('in_progress', 'in_doubt', 'failed')";

    private final Condition all = new Condition("");
    private final String order;

    /** A part of the statement, and its parameters. A plus before a column keeps its index from being used. */
    private static final class Condition {
        final StringBuilder sql;
        final List<Object> parameters = new ArrayList<>();

        Condition(String first) {
            this.sql = new StringBuilder(first);
        }

        Condition and(String more, @Nullable Object value) {
            if (value != null) {
                sql.append(sql.isEmpty() ? "" : " AND ").append(more);
                parameters.add(value);
            }
            return this;
        }

        void and(Condition more) {
            sql.append(sql.isEmpty() ? "" : " AND ")
                    .append('(')
                    .append(more.sql)
                    .append(')');
            parameters.addAll(more.parameters);
        }

        void bind(PreparedStatement statement) throws SQLException {
            for (int i = 0; i < parameters.size(); i++) {
                statement.setObject(i + 1, parameters.get(i));
            }
        }
    }

    /** The conditions for rows in these stored states; none for all rows, also forgotten ones. */
    QuerySql(SqliteConnection sqlite, Query query, Set<State> stored, long from, Instant now) throws SQLException {
        order = query.oldestFirst() ? "" : " DESC";
        List<Match> keys = query.key() == null ? List.of() : List.of(query.key());
        boolean byKey = isExact(keys) || isFew(sqlite, keys, "key");
        boolean byScope = !byKey && (isExact(query.scopes()) || isFew(sqlite, query.scopes(), "scope"));
        boolean open = !stored.isEmpty() && OPEN.containsAll(stored);
        String inState = stored.stream()
                .map(state -> "'" + state.word() + "'")
                .collect(Collectors.joining(", ", "state IN (", ")"));
        boolean byState = !byKey && !byScope && open && isFew(sqlite, new Condition(IS_OPEN + " AND " + inState));
        // An index with one value has its rows in the order of their fences already.
        boolean sorted = (byKey || byScope || byState) && !(byScope && isExact(query.scopes()));
        all.and((sorted ? "+" : "") + (query.oldestFirst() ? "fence > ?" : "fence < ?"), from);
        all.sql.append(byState ? " AND " + IS_OPEN : "").append(stored.isEmpty() ? "" : " AND " + inState);
        all.and("operation = ?", query.operation());
        if (!keys.isEmpty()) {
            all.and(any(keys, (byKey ? "" : "+") + "key"));
        }
        if (!query.scopes().isEmpty()) {
            all.and(any(query.scopes(), (byScope ? "" : "+") + "scope"));
        }
        query.labels()
                .forEach((name, value) -> all.and(new Condition("")
                        .and("fence IN (SELECT fence FROM main.labels WHERE name = ?", name)
                        .and("value = ?)", value)));
        // The text of a moment continues after the time, so it is greater than the text of the time alone.
        all.and(
                "claimed < ?",
                query.olderThan() == null
                        ? null
                        : SortableTime.of(now.minus(query.olderThan()).plusNanos(1)));
        all.and("claimed >= ?", query.newerThan() == null ? null : SortableTime.of(now.minus(query.newerThan())));
    }

    /** The conditions of a query for the table of hours. */
    QuerySql(Query query) {
        order = "";
        all.and("kind <> ?", "");
        all.and("operation = ?", query.operation());
        if (!query.scopes().isEmpty()) {
            all.and(any(query.scopes(), "scope"));
        }
    }

    private static boolean isExact(List<Match> matches) {
        return matches.size() == 1 && !matches.get(0).isPrefix();
    }

    private static boolean isFew(SqliteConnection sqlite, List<Match> matches, String column) throws SQLException {
        return !matches.isEmpty() && isFew(sqlite, any(matches, column));
    }

    private static boolean isFew(SqliteConnection sqlite, Condition condition) throws SQLException {
        String sql = SqliteConnection.STATEMENTS.get("count-some").replace("{conditions}", condition.sql);
        try (PreparedStatement count = sqlite.prepare(sql)) {
            condition.bind(count);
            count.setInt(condition.parameters.size() + 1, FEW + 1);
            try (ResultSet rows = count.executeQuery()) {
                return rows.next() && rows.getInt(1) <= FEW;
            }
        }
    }

    /** Texts compare byte by byte, so those with one beginning stand side by side. */
    private static Condition any(List<Match> matches, String column) {
        Condition any = new Condition("");
        for (Match match : matches) {
            any.sql.append(any.sql.isEmpty() ? "" : " OR ").append(column).append(match.isPrefix() ? " >= ?" : " = ?");
            any.parameters.add(match.text());
            String end = match.isPrefix() ? match.end() : null;
            if (end != null) {
                any.and(column + " < ?", end);
            }
        }
        return any;
    }

    /** The statement with this name, with the conditions inserted. */
    String sql(String name) {
        return SqliteConnection.STATEMENTS
                .get(name)
                .replace("{conditions}", all.sql)
                .replace("{order}", order);
    }

    /** Binds the parameters of the conditions, and those behind them. */
    void bind(PreparedStatement statement, Object... more) throws SQLException {
        all.bind(statement);
        for (int i = 0; i < more.length; i++) {
            statement.setObject(all.parameters.size() + 1 + i, more[i]);
        }
    }
}
