package dev.idem.sqlite;

import dev.idem.State;
import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.Moment;
import dev.idem.spi.browse.Figures;
import dev.idem.spi.browse.Figures.Count;
import dev.idem.spi.browse.Figures.Kind;
import dev.idem.spi.browse.Figures.Took;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.Searchable.Rows;
import dev.idem.spi.browse.TryCounting.Hourly;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** What happened by the hour, through one connection. */
final class HoursTable {
    private static final Set<State> SETTLED = EnumSet.of(State.COMPLETE, State.FAILED, State.IN_DOUBT);
    private static final int PORTION = 1000;
    private static final Duration KEPT = Duration.ofDays(8);

    private final SqliteConnection sqlite;

    HoursTable(SqliteConnection sqlite) {
        this.sqlite = sqlite;
    }

    /** Also deletes what is too old for every figure. */
    void add(List<Hourly> more, Instant now) throws SQLException {
        if (more.isEmpty()) {
            return;
        }
        PreparedStatement drop = sqlite.statement("drop-hours");
        drop.setString(1, now.minus(KEPT).toString());
        drop.executeUpdate();
        PreparedStatement add = sqlite.statement("add-hour");
        for (Hourly each : more) {
            add.setString(1, each.hour().toString());
            add.setString(2, each.scope());
            add.setString(3, each.operation());
            add.setString(4, each.kind().word());
            add.setLong(5, each.millis());
            add.setLong(6, each.count());
            add.executeUpdate();
        }
    }

    /** Empty where the table is missing: a ledger that is only looked at may be of an older format. */
    Optional<Figures> figures(Query query, Instant since, long behind, Instant now) throws SQLException {
        Instant from;
        try (ResultSet made = sqlite.statement("hours-since").executeQuery()) {
            if (!made.next()) {
                return Optional.empty();
            }
            from = made.getString(1).equals(made.getString(2)) ? null : Instant.parse(made.getString(1));
        }
        List<Count> counts = new ArrayList<>();
        List<Took> took = new ArrayList<>();
        QuerySql settled = new QuerySql(sqlite, query, SETTLED, behind, now);
        try (PreparedStatement count = sqlite.prepare(settled.sql("count-tries"))) {
            settled.bind(count, SortableTime.of(since));
            try (ResultSet rows = count.executeQuery()) {
                while (rows.next()) {
                    Instant hour = Instant.parse(rows.getString(1));
                    counts.add(new Count(hour, rows.getString(2), Kind.ofWord(rows.getString(3)), rows.getLong(4)));
                }
            }
        }
        QuerySql complete = new QuerySql(sqlite, query, EnumSet.of(State.COMPLETE), behind, now);
        try (PreparedStatement time = sqlite.prepare(complete.sql("time-tries"))) {
            complete.bind(time, SortableTime.of(since));
            try (ResultSet rows = time.executeQuery()) {
                while (rows.next()) {
                    took.add(new Took(rows.getString(1), rows.getLong(2), rows.getLong(3)));
                }
            }
        }
        QuerySql hours = new QuerySql(query);
        try (PreparedStatement select = sqlite.prepare(hours.sql("hours"))) {
            hours.bind(select, since.toString());
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    Instant hour = Instant.parse(rows.getString(1));
                    String operation = rows.getString(2);
                    counts.add(new Count(hour, operation, Kind.ofWord(rows.getString(3)), rows.getLong(5)));
                    if (rows.getLong(4) >= 0) {
                        took.add(new Took(operation, rows.getLong(4), rows.getLong(5)));
                    }
                }
            }
        }
        return Optional.of(new Figures(since, from, counts, took));
    }

    /** All other rows, in the order of their fences. */
    void others(Query query, Instant since, long begin, Moment now, Consumer<Rows> others) throws SQLException {
        long behind = begin;
        List<Row> rows;
        do {
            QuerySql all = new QuerySql(sqlite, query, Set.of(), behind, now.wall());
            try (PreparedStatement select = sqlite.prepare(all.sql("scan-storied"))) {
                all.bind(select, SortableTime.of(since), PORTION);
                rows = EntryTable.rows(select);
            }
            others.accept(new Rows(rows, now));
            behind = rows.isEmpty() ? behind : rows.get(rows.size() - 1).fence().number();
        } while (rows.size() == PORTION);
    }
}
