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

    private static final String KEY = "e.key";

    private final List<String> conditions = new ArrayList<>();
    private final List<Steps.Binding> bindings = new ArrayList<>();
    private final boolean rare;
    private final String direction;

    /** Tells whether few rows meet a condition, so that it is better to look them up than to meet them one by one. */
    interface Counting {
        boolean isFew(String condition, Steps.Binding binding);
    }

    /** The conditions of a query for the table of hours. */
    QuerySql(Query query) {
        direction = "";
        rare = false;
        conditions.add("true");
        and("e.operation {=} ?", query.operation());
        isFew("e.scope", query.scopes(), (condition, binding) -> false);
    }

    /** A scan of rows in these stored states, behind a fence; of none for all rows, also forgotten ones. */
    QuerySql(Query query, Set<State> stored, long from, Counting counting) {
        direction = query.oldestFirst() ? "" : " DESC";
        and(query.oldestFirst() ? "e.fence {>} ?" : "e.fence {<} ?", parameters -> parameters.number(from));
        if (!stored.isEmpty()) {
            conditions.add(stored.stream()
                    .map(State::word)
                    .collect(Collectors.joining("', '", "e.state {=} ANY (ARRAY['", "'])")));
        }
        boolean few = !stored.isEmpty() && RARE.containsAll(stored);
        if (few) {
            // An unfinished entry is never due. Two indexes find these few among many complete entries.
            conditions.add(stored.contains(State.FAILED) ? "(e.due IS NULL OR e.state {=} 'failed')" : "e.due IS NULL");
        }
        and("e.operation {=} ?", query.operation());
        List<Match> keys = query.key() == null ? List.of() : List.of(query.key());
        boolean fewKeys = isFew(KEY, keys, counting);
        boolean fewScopes = isFew("e.scope", query.scopes(), counting);
        if (!query.labels().isEmpty()) {
            and("e.labels {@>} ?::pg_catalog.jsonb", Parameters.json(query.labels()));
        }
        age("e.claimed {<=} (n.now {-} (? {*} interval '1 microsecond'))", query.olderThan());
        age("e.claimed {>=} (n.now {-} (? {*} interval '1 microsecond'))", query.newerThan());
        rare = few || !query.labels().isEmpty() || fewKeys || fewScopes;
    }

    /** The statement with the conditions inserted. */
    String in(String sql) {
        return Statements.operators(sql.replace("{conditions}", String.join(" AND ", conditions))
                // Avoids the index of fences, which would scan all rows to find a few.
                .replace("{order}", (rare ? "(e.fence {+} 0)" : "e.fence") + direction)
                .replace("{direction}", direction));
    }

    void bind(Parameters parameters) throws SQLException {
        for (Steps.Binding binding : bindings) {
            binding.bind(parameters);
        }
    }

    /** Adds the condition that a name matches, and tells whether few rows meet it. */
    private boolean isFew(String column, List<Match> any, Counting counting) {
        if (any.isEmpty()) {
            return false;
        }
        List<String> texts = new ArrayList<>();
        String condition =
                any.stream().map(each -> condition(column, each, texts)).collect(Collectors.joining(" OR ", "(", ")"));
        Steps.Binding binding = parameters -> {
            for (String text : texts) {
                parameters.text(text);
            }
        };
        and(condition, binding);
        boolean exact = any.size() == 1 && !any.get(0).isPrefix();
        // Few rows have the same key. Those of one scope have an index in the order of their fences.
        return exact ? column.equals(KEY) : counting.isFew(condition, binding);
    }

    /** Names compare byte by byte, so those with one beginning stand side by side. */
    private static String condition(String column, Match match, List<String> texts) {
        texts.add(match.text());
        if (!match.isPrefix()) {
            return column + " {=} ?";
        }
        String end = match.end();
        if (end == null) {
            return column + " {>=} ?";
        }
        texts.add(end);
        return "(" + column + " {>=} ? AND " + column + " {<} ?)";
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
