package dev.idem.postgresql;

import dev.idem.internal.sql.SqlStatements;
import java.util.regex.Pattern;

/** The statements of a ledger in one schema. Every name is qualified, so no session setting is needed. */
final class Statements {
    private static final Pattern OPERATOR = Pattern.compile("\\{([-+*%<>=|@]+)}");

    private final SqlStatements statements;

    Statements(String schema) {
        statements = SqlStatements.read(Statements.class.getResourceAsStream("statements.sql"), sql -> in(schema, sql));
    }

    /**
     * The text with the name of the schema inserted, which is a plain name and needs no quotes, and the operators of the
     * system for those in braces.
     */
    static String in(String schema, String sql) {
        return operators(sql.replace("{schema}", schema).replace("{channel}", channel(schema)));
    }

    /** Whatever schemas a session searches first. */
    static String operators(String sql) {
        return OPERATOR.matcher(sql).replaceAll("OPERATOR(pg_catalog.$1)");
    }

    /** The channel on which changes of entries are announced. */
    static String channel(String schema) {
        return "idem_" + schema;
    }

    String get(String name) {
        return statements.get(name);
    }
}
