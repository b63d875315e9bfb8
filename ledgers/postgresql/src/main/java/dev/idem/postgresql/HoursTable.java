package dev.idem.postgresql;

import static dev.idem.postgresql.PostgresqlStore.addresses;
import static dev.idem.postgresql.PostgresqlStore.each;

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
import dev.idem.spi.browse.TryCounting.Told;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;

/** What happened by the hour. */
record HoursTable(Steps steps, Server server) {
    private static final Set<State> SETTLED = EnumSet.of(State.COMPLETE, State.FAILED, State.IN_DOUBT);
    private static final int PORTION = 1000;

    void add(List<Hourly> more) {
        steps.change(
                sql("add-hours"),
                parameters -> parameters
                        .array("timestamptz", each(more, line -> line.hour().toString()))
                        .array("text", each(more, Hourly::scope))
                        .array("text", each(more, Hourly::operation))
                        .array("text", each(more, line -> line.kind().word()))
                        .array("bigint", each(more, Hourly::millis))
                        .array("bigint", each(more, Hourly::count))
                        .text(server.patience()));
    }

    /** Deletes rows that are unchanged, and keeps what they told. */
    int delete(List<Told> seen) {
        List<Map.Entry<Long, Hourly>> tries = new ArrayList<>();
        seen.forEach(told ->
                told.tries().forEach(line -> tries.add(Map.entry(told.row().version(), line))));
        return steps.ask(
                sql("delete"),
                parameters -> addresses(
                                parameters,
                                seen.stream().map(told -> told.row().at()).toList())
                        .array("bigint", each(seen, told -> told.row().version()))
                        .array("bigint", each(tries, Map.Entry::getKey))
                        .array(
                                "timestamptz",
                                each(tries, line -> line.getValue().hour().toString()))
                        .array(
                                "text",
                                each(tries, line -> line.getValue().kind().word()))
                        .array("bigint", each(tries, line -> line.getValue().millis()))
                        .text(server.patience()),
                rows -> rows.next() ? rows.getInt(1) : 0);
    }

    /** All other rows, in the order of their fences. */
    void others(LongFunction<QuerySql> matching, Instant since, long begin, Consumer<Rows> others) {
        long behind = begin;
        Rows some;
        do {
            QuerySql from = matching.apply(behind);
            some = steps.ask(
                    from.in(sql("scan-storied")),
                    parameters -> {
                        from.bind(parameters);
                        parameters.moment(Moment.ofWall(since)).integer(PORTION);
                    },
                    StoredRow::readAll);
            others.accept(some);
            List<Row> rows = some.rows();
            behind = rows.isEmpty() ? behind : rows.get(rows.size() - 1).fence().number();
        } while (some.rows().size() == PORTION);
    }

    /** Empty where the table is missing: a ledger that is only looked at may be of an older format. */
    Optional<Figures> figures(Query query, Instant since, Function<Set<State>, QuerySql> rows) {
        List<Moment> made = steps.ask(
                sql("hours-since"),
                parameters -> {},
                answer ->
                        answer.next() ? List.of(StoredRow.moment(answer, 1), StoredRow.moment(answer, 2)) : List.of());
        if (made.isEmpty()) {
            return Optional.empty();
        }
        List<Count> counts = new ArrayList<>();
        List<Took> took = new ArrayList<>();
        ask("count-tries", rows.apply(SETTLED), since, row -> counts.add(count(row, 4)));
        ask(
                "time-tries",
                rows.apply(EnumSet.of(State.COMPLETE)),
                since,
                row -> took.add(new Took(row.getString(1), row.getLong(2), row.getLong(3))));
        ask("hours", new QuerySql(query), since, row -> {
            counts.add(count(row, 5));
            return row.getLong(4) >= 0 && took.add(new Took(row.getString(2), row.getLong(4), row.getLong(5)));
        });
        boolean fresh = made.get(0).equals(made.get(1));
        return Optional.of(new Figures(since, fresh ? null : made.get(0).wall(), counts, took));
    }

    private void ask(String name, QuerySql matching, Instant since, Steps.Reading<Boolean> add) {
        steps.ask(
                matching.in(sql(name)),
                parameters -> {
                    matching.bind(parameters);
                    parameters.moment(Moment.ofWall(since));
                },
                rows -> {
                    while (rows.next()) {
                        add.read(rows);
                    }
                    return true;
                });
    }

    private static Count count(ResultSet row, int last) throws SQLException {
        Instant hour = row.getObject(1, LocalDateTime.class).toInstant(ZoneOffset.UTC);
        return new Count(hour, row.getString(2), Kind.ofWord(row.getString(3)), row.getLong(last));
    }

    private String sql(String name) {
        return server.statements().get(name);
    }
}
