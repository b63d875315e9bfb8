package dev.idem.postgresql;

import dev.idem.sql.SqlStatements;

/** The statements of a ledger in one schema. Every name in them is qualified, so that no session has to be set. */
final class Statements {
    private final SqlStatements statements;

    Statements(String schema) {
        statements = SqlStatements.read(Statements.class.getResourceAsStream("statements.sql"), sql -> in(schema, sql));
    }

    /** The text with the name of the schema filled in, which is a plain name and needs no quotes. */
    static String in(String schema, String sql) {
        return sql.replace("{schema}", schema).replace("{channel}", channel(schema));
    }

    /** Where changes of entries are announced. */
    static String channel(String schema) {
        return "idem_" + schema;
    }

    String get(String name) {
        return statements.get(name);
    }
}
