package dev.idem.spring;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

/** The ledger in the database of the application's {@link DataSource}, with connections of its own. */
final class DataSourceLedger {
    static final String NAME = "datasource";

    private DataSourceLedger() {}

    /**
     * The URL of the ledger.
     *
     * @throws IllegalArgumentException when there is no ledger for such a database; the message says what to do
     */
    static String urlFor(@Nullable DataSource source) {
        if (source == null) {
            throw new IllegalArgumentException("idem.ledger=datasource needs one DataSource bean, and there is none, or"
                    + " none of several is the primary one: set idem.ledger to the URL of the ledger");
        }
        SimpleDriverDataSource copy;
        try {
            copy = DataSourceBuilder.derivedFrom(source)
                    .type(SimpleDriverDataSource.class)
                    .build();
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "the settings of the DataSource, a " + source.getClass().getName()
                            + ", can't be read: set idem.ledger to the URL of the ledger",
                    e);
        }
        String jdbc = String.valueOf(copy.getUrl());
        if (jdbc.startsWith("jdbc:sqlite:")) {
            return jdbc.substring("jdbc:".length());
        } else if (!jdbc.startsWith("jdbc:postgresql://")) {
            throw new IllegalArgumentException("there is no ledger for the database of the DataSource, only for"
                    + " PostgreSQL and SQLite: set idem.ledger to the URL of a ledger");
        }
        String rest = jdbc.substring("jdbc:postgresql://".length());
        String user = copy.getUsername();
        return "postgresql://" + (user == null ? "" : user(user, copy.getPassword())) + rest;
    }

    private static String user(String name, @Nullable String password) {
        return encoded(name) + (password == null ? "" : ":" + encoded(password)) + "@";
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
