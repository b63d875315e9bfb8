package dev.idem.postgresql;

import dev.idem.State;
import dev.idem.spi.browse.Match;
import dev.idem.spi.browse.Query;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The conditions of a query in SQL. */
final class QuerySql {
    private static final Set<State> RARE = EnumSet.of(State.IN_PROGRESS, State.IN_DOUBT, State.FAILED);

    private final List<String> conditions = new ArrayList<>();
    private final List<Steps.Binding> bindings = new ArrayList<>();
    private final boolean rare;
    private final String direction;

    /** A scan of rows in these stored states, behind a fence. */
    QuerySql(Query query, Set<State> stored, long from) {
        direction = query.oldestFirst() ? "" : " DESC";
        and(query.oldestFirst() ? "e.fence > ?" : "e.fence < ?", parameters -> parameters.number(from));
        conditions.add(stored.stream().map(State::word).collect(Collectors.joining("', '", "e.state IN ('", "')")));
        boolean few = RARE.containsAll(stored);
        if (few) {
            // An unfinished entry is never due. Two indexes find these few among many complete entries.
            conditions.add(stored.contains(State.FAILED) ? "(e.due IS NULL OR e.state = 'failed')" : "e.due IS NULL");
        }
        and("e.operation = ?", query.operation());
        if (query.key() != null) {
            conditions.add(match("e.key", query.key()));
        }
        if (!query.scopes().isEmpty()) {
            conditions.add(query.scopes().stream()
                    .map(scope -> match("e.scope", scope))
                    .collect(Collectors.joining(" OR ", "(", ")")));
        }
        if (!query.labels().isEmpty()) {
            and("e.labels @> ?::jsonb", Parameters.json(query.labels()));
        }
        age("e.claimed <= n.now - ? * interval '1 microsecond'", query.olderThan());
        age("e.claimed >= n.now - ? * interval '1 microsecond'", query.newerThan());
        rare = few || !query.labels().isEmpty() || query.key() != null;
    }

    /** The statement with the conditions inserted. */
    String in(String sql) {
        return sql.replace("{conditions}", String.join(" AND ", conditions))
                // Avoids the index of fences, which would scan all rows to find a few.
                .replace("{order}", (rare ? "(e.fence + 0)" : "e.fence") + direction)
                .replace("{direction}", direction);
    }

    void bind(Parameters parameters) throws SQLException {
        for (Steps.Binding binding : bindings) {
            binding.bind(parameters);
        }
    }

    /** Names compare byte by byte, so those with one beginning stand side by side. */
    private String match(String column, Match match) {
        bindings.add(parameters -> parameters.text(match.text()));
        if (!match.isPrefix()) {
            return column + " = ?";
        }
        String end = match.end();
        if (end == null) {
            return column + " >= ?";
        }
        bindings.add(parameters -> parameters.text(end));
        return "(" + column + " >= ? AND " + column + " < ?)";
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

    private void and(String condition, Steps.Binding binding) {
        conditions.add(condition);
        bindings.add(binding);
    }
}
