package dev.idem.internal.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Named SQL statements from one resource file. A line {@code -- :name} starts a statement, other lines that start with
 * {@code --} are comments for people.
 */
public final class SqlStatements {
    private static final String NAME = "-- :";

    private final Map<String, String> statements;

    private SqlStatements(Map<String, String> statements) {
        this.statements = statements;
    }

    /** Reads and closes the resource; the caller opens it, because only its own module can. */
    public static SqlStatements read(@Nullable InputStream resource) {
        return read(resource, sql -> sql);
    }

    /** Reads the resource and applies {@code fill} to each statement. */
    public static SqlStatements read(@Nullable InputStream resource, UnaryOperator<String> fill) {
        Map<String, String> statements = new LinkedHashMap<>();
        String name = null;
        StringBuilder body = new StringBuilder();
        for (String line : text(resource).lines().toList()) {
            if (line.startsWith(NAME)) {
                add(statements, name, body);
                name = line.substring(NAME.length()).trim();
            } else if (!line.stripLeading().startsWith("--") && !line.isBlank()) {
                body.append(line.strip()).append(' ');
            }
        }
        add(statements, name, body);
        statements.replaceAll((each, sql) -> fill.apply(sql));
        return new SqlStatements(statements);
    }

    /** Reads and closes a resource. */
    public static String text(@Nullable InputStream resource) {
        try (InputStream in = Objects.requireNonNull(resource, "an SQL resource is missing from the jar")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("an SQL resource can't be read from the jar", e);
        }
    }

    /** The statement of that name. */
    public String get(String name) {
        return Objects.requireNonNull(statements.get(name), () -> "no SQL statement is called " + name);
    }

    public Set<String> names() {
        return statements.keySet();
    }

    private static void add(Map<String, String> statements, @Nullable String name, StringBuilder body) {
        String sql = body.toString().strip();
        body.setLength(0);
        if (name == null && sql.isEmpty()) {
            return;
        }
        if (name == null || sql.isEmpty() || statements.put(name, sql) != null) {
            throw new IllegalStateException("SQL statement " + name + " has no name, no text or is there twice");
        }
    }
}
