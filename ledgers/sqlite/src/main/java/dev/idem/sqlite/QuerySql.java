package dev.idem.sqlite;

import dev.idem.State;
import dev.idem.spi.browse.Match;
import dev.idem.spi.browse.Query;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The statement that searches the rows of a query, in the order of their fences. */
final class QuerySql {
    private final StringBuilder conditions = new StringBuilder();
    private final List<Object> parameters = new ArrayList<>();
    private final String order;

    QuerySql(Query query, Set<State> stored, long from, Instant now) {
        order = query.oldestFirst() ? "" : " DESC";
        conditions.append(query.oldestFirst() ? "fence > ?" : "fence < ?");
        parameters.add(from);
        conditions
                .append(" AND state IN ")
                .append(stored.stream()
                        .map(state -> "'" + state.word() + "'")
                        .collect(Collectors.joining(", ", "(", ")")));
        and("operation = ?", query.operation());
        if (query.key() != null) {
            conditions.append(" AND ");
            match("key", query.key());
        }
        if (!query.scopes().isEmpty()) {
            String either = " AND (";
            for (Match scope : query.scopes()) {
                conditions.append(either);
                match("scope", scope);
                either = " OR ";
            }
            conditions.append(')');
        }
        query.labels().forEach((name, value) -> {
            and("fence IN (SELECT fence FROM labels WHERE name = ? AND value = ?)", name);
            parameters.add(value);
        });
        // The text of a moment continues after the time, so it is greater than the text of the time alone.
        and(
                "claimed < ?",
                query.olderThan() == null
                        ? null
                        : SortableTime.of(now.minus(query.olderThan()).plusNanos(1)));
        and("claimed >= ?", query.newerThan() == null ? null : SortableTime.of(now.minus(query.newerThan())));
    }

    String sql() {
        return SqliteConnection.STATEMENTS
                .get("scan")
                .replace("{conditions}", conditions)
                .replace("{order}", order);
    }

    void bind(PreparedStatement statement, int limit) throws SQLException {
        for (int i = 0; i < parameters.size(); i++) {
            statement.setObject(i + 1, parameters.get(i));
        }
        statement.setInt(parameters.size() + 1, limit);
    }

    /** Texts compare byte by byte, so those with one beginning stand side by side. */
    private void match(String column, Match match) {
        String end = match.isPrefix() ? match.end() : null;
        conditions.append(column).append(match.isPrefix() ? " >= ?" : " = ?");
        parameters.add(match.text());
        if (end != null) {
            conditions.append(" AND ").append(column).append(" < ?");
            parameters.add(end);
        }
    }

    private void and(String condition, @Nullable Object value) {
        if (value != null) {
            conditions.append(" AND ").append(condition);
            parameters.add(value);
        }
    }
}
