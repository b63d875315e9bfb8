package dev.idem.postgresql;

import dev.idem.sql.SqlStatements;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The statements of a ledger in one schema. Every name in them is qualified, so that no session has to be set. */
final class Statements {
    private static final Pattern ROW = Pattern.compile("\\{row\\(([a-z.]+)\\)}");

    /** In the order in which {@link Answer} reads them, after the time and whether anything was changed. */
    private static final List<String> COLUMNS =
            List.of(("fence began ended key operation scope state attempt replays created claimed settled expires"
                            + " identity content parent labels::text attempt_id owner owner_host owner_pid owner_start"
                            + " lease acted act_until staged marks doubt doubt_since"
                            + " outcome effect kept keep tombstone reason failure_type failure_message"
                            + " media_type codec encoding body")
                    .split(" "));

    private final Map<String, String> statements = new HashMap<>();

    Statements(String schema) {
        SqlStatements all = SqlStatements.read(Statements.class.getResourceAsStream("statements.sql"));
        for (String name : all.names()) {
            statements.put(name, rows(in(schema, all.get(name))));
        }
    }

    /** The text with the name of the schema filled in, which is a plain name and needs no quotes. */
    static String in(String schema, String sql) {
        return sql.replace("{schema}", schema).replace("{channel}", channel(schema));
    }

    /** Where changes of entries are announced. */
    static String channel(String schema) {
        return "idem_" + schema;
    }

    private static String rows(String sql) {
        return ROW.matcher(sql).replaceAll(match -> {
            String prefix = match.group(1).contains(".") ? "(" + match.group(1) + ")." : match.group(1) + ".";
            return COLUMNS.stream().map(column -> prefix + column).collect(Collectors.joining(", "));
        });
    }

    String get(String name) {
        return Objects.requireNonNull(statements.get(name), () -> "no SQL statement is called " + name);
    }
}
