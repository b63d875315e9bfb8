package dev.idem.sqlite;

import dev.idem.State;
import dev.idem.spi.browse.Query;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The statement that searches the rows of a query, highest fence first. */
final class QuerySql {
    private final StringBuilder conditions = new StringBuilder("fence < ?");
    private final List<Object> parameters = new ArrayList<>();

    QuerySql(Query query, Set<State> stored, long below, Instant now) {
        parameters.add(below);
        conditions
                .append(" AND state IN ")
                .append(stored.stream()
                        .map(state -> "'" + state.word() + "'")
                        .collect(Collectors.joining(", ", "(", ")")));
        and("scope = ?", query.scope());
        and("operation = ?", query.operation());
        and("key = ?", query.key());
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
        return SqliteConnection.STATEMENTS.get("scan").replace("{conditions}", conditions);
    }

    void bind(PreparedStatement statement, int limit) throws SQLException {
        for (int i = 0; i < parameters.size(); i++) {
            statement.setObject(i + 1, parameters.get(i));
        }
        statement.setInt(parameters.size() + 1, limit);
    }

    private void and(String condition, @Nullable Object value) {
        if (value != null) {
            conditions.append(" AND ").append(condition);
            parameters.add(value);
        }
    }
}
