package dev.idem.postgresql;

import dev.idem.sql.SqlStatements;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/** The statements of a ledger in one schema. Every name in them is qualified, so that no session has to be set. */
final class Statements {
    private static final Pattern ROW = Pattern.compile("\\{row\\(([a-z]+)\\)}");

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
        return ROW.matcher(sql).replaceAll(match -> PackedEntry.selected(match.group(1)));
    }

    String get(String name) {
        return Objects.requireNonNull(statements.get(name), () -> "no SQL statement is called " + name);
    }
}
