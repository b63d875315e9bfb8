package dev.idem.postgresql;

import dev.idem.Address;
import dev.idem.State;
import dev.idem.spi.EntryStore;
import dev.idem.spi.Joining;
import dev.idem.spi.Moment;
import dev.idem.spi.ReplayCounting;
import dev.idem.spi.RowLockedException;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Counts;
import dev.idem.spi.browse.Figures;
import dev.idem.spi.browse.LabelNames;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.Searchable;
import dev.idem.spi.browse.TryCounting;
import dev.idem.spi.browse.Walkable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The table of entries in a PostgreSQL database. Each method is one statement that commits by itself. No session state
 * is kept, so the next statement may use any connection.
 */
class PostgresqlStore implements EntryStore, Searchable, ReplayCounting, TryCounting, Joining<Connection> {
    private static final int MOST_RENEWED = 1000;
    /** As many rows are looked up and sorted; more are met soon in the order of their fences. */
    private static final int FEW = 2000;
    /** A second of the server's work. */
    private static final int MOST_LOOKED_AT = 1_000_000;

    private final Server server;
    private final Steps steps;

    /** A store on connections of a pool. */
    PostgresqlStore(Server server) {
        this(server, server.database());
    }

    /** A store that runs its statements by {@code steps}, for instance inside a transaction. */
    PostgresqlStore(Server server, Steps steps) {
        this.server = server;
        this.steps = steps;
    }

    @Override
    public Found insert(Address at, Draft first) {
        return steps.run(connection -> {
            try {
                return insert(connection, at, first);
            } catch (SQLException e) {
                if (PostgresqlErrors.isLockTimeout(e)) {
                    throw new RowLockedException(e);
                }
                throw e;
            }
        });
    }

    private Found insert(Connection connection, Address at, Draft first) throws SQLException {
        return Steps.ask(
                connection,
                sql("insert"),
                parameters -> parameters
                        .address(at)
                        .number(first.version())
                        .text(StoredRow.word(first.state()))
                        .duration(first.lease())
                        .duration(first.dueIn())
                        .labels(first.labels())
                        .document(first.document())
                        .bytes(first.body())
                        .text(server.patience())
                        .address(at),
                answer -> {
                    answer.next();
                    Moment now = StoredRow.moment(answer, 1);
                    long fence = answer.getLong(2);
                    return answer.wasNull()
                            ? new Found(StoredRow.read(at, answer, 4), false, now)
                            : new Found(StoredRow.inserted(at, first, fence, StoredRow.moment(answer, 3)), true, now);
                });
    }

    @Override
    public Found read(Address at) {
        return steps.ask(sql("read"), parameters -> parameters.address(at), answer -> {
            answer.next();
            return new Found(StoredRow.read(at, answer, 2), false, StoredRow.moment(answer, 1));
        });
    }

    @Override
    public Swap replace(Row seen, Draft next, Guard guard) {
        return steps.run(connection -> {
            try {
                return replace(connection, seen, next, guard);
            } catch (SQLException e) {
                if (PostgresqlErrors.isLockTimeout(e)) {
                    return new Swap.Held();
                }
                throw e;
            }
        });
    }

    private Swap replace(Connection connection, Row seen, Draft next, Guard guard) throws SQLException {
        return Steps.ask(
                connection,
                sql("replace"),
                parameters -> parameters
                        .number(next.version())
                        .text(StoredRow.word(next.state()))
                        .flag(next.newFence())
                        .flag(next.fresh())
                        .duration(next.lease())
                        .labels(next.labels())
                        .document(next.document())
                        .bytes(next.body())
                        .duration(next.dueIn())
                        .text(next.stamp().name())
                        .text(server.patience())
                        .address(seen.at())
                        .number(seen.version())
                        .moment(guard == Guard.VERSION ? null : seen.lease()),
                answer -> answer.next()
                        ? new Swap.Written(StoredRow.replaced(seen.at(), next, answer))
                        : new Swap.Changed());
    }

    @Override
    public Renewed renew(Map<Ticket, Duration> leases) {
        Set<Ticket> lost = new HashSet<>(leases.keySet());
        Set<Ticket> unanswered = new HashSet<>();
        List<Map.Entry<Ticket, Duration>> all = List.copyOf(leases.entrySet());
        for (int from = 0; from < all.size(); from += MOST_RENEWED) {
            current(all.subList(from, Math.min(all.size(), from + MOST_RENEWED)))
                    .forEach((ticket, renewed) -> {
                        lost.remove(ticket);
                        if (!renewed) {
                            unanswered.add(ticket);
                        }
                    });
        }
        return new Renewed(lost, unanswered);
    }

    /**
     * The tickets that may still be current, and whether their leases were renewed. With several tickets, locked rows
     * are skipped. For a single ticket it waits: the row is renewed, or lost, or still locked at the end.
     */
    private Map<Ticket, Boolean> current(List<Map.Entry<Ticket, Duration>> leases) {
        boolean single = leases.size() == 1;
        String sql = sql("renew").replace("{skip}", single ? "" : "SKIP LOCKED");
        return steps.run(connection -> {
            try {
                Map<Ticket, Boolean> current = renew(connection, sql, leases);
                return single && current.containsValue(false) ? Map.of() : current;
            } catch (SQLException e) {
                if (PostgresqlErrors.isLockTimeout(e)) {
                    // The whole statement waited, perhaps for a table lock: the state of all tickets is unknown.
                    return leases.stream().collect(Collectors.toMap(Map.Entry::getKey, lease -> false));
                }
                throw e;
            }
        });
    }

    private Map<Ticket, Boolean> renew(Connection connection, String sql, List<Map.Entry<Ticket, Duration>> leases)
            throws SQLException {
        List<Address> addresses =
                leases.stream().map(lease -> lease.getKey().address()).toList();
        return Steps.ask(
                connection,
                sql,
                parameters -> addresses(parameters.text(server.patience()), addresses)
                        .array(
                                "bigint",
                                each(leases, lease -> lease.getKey().fence().number()))
                        .array("bigint", each(leases, lease -> Parameters.micros(lease.getValue()))),
                answer -> {
                    Map<Ticket, Boolean> current = new HashMap<>();
                    while (answer.next()) {
                        current.put(leases.get(answer.getInt(1) - 1).getKey(), answer.getBoolean(2));
                    }
                    return current;
                });
    }

    @Override
    public void countReplays(Map<Ticket, Long> more) {
        List<Map.Entry<Ticket, Long>> counts = List.copyOf(more.entrySet());
        steps.change(
                sql("count-replays"),
                parameters -> parameters
                        .array(
                                "bigint",
                                each(counts, count -> count.getKey().fence().number()))
                        .array("bigint", each(counts, Map.Entry::getValue))
                        .text(server.patience()));
    }

    @Override
    public Rows scan(Query query, Set<State> stored, long from, int limit) {
        QuerySql scan = new QuerySql(query, stored, from, this::isFew);
        return steps.ask(
                scan.in(sql("scan")),
                parameters -> {
                    scan.bind(parameters);
                    parameters.integer(limit);
                },
                StoredRow::readAll);
    }

    private boolean isFew(String condition, Steps.Binding binding) {
        return steps.ask(
                Statements.operators(sql("count-some").replace("{conditions}", condition)),
                parameters -> {
                    binding.bind(parameters);
                    parameters.integer(FEW + 1);
                },
                rows -> rows.next() && rows.getInt(1) <= FEW);
    }

    @Override
    public Walkable.Batch due(@Nullable String place, int limit) {
        String[] after = (place == null ? "-infinity 0" : place).split(" ", 2);
        return steps.ask(
                sql("due"),
                parameters -> parameters
                        .text(after[0])
                        .number(Long.parseLong(after[1]))
                        .integer(limit),
                answer -> StoredRow.readDue(answer, limit));
    }

    @Override
    public long countDue() {
        return number("count-due");
    }

    @Override
    public int delete(List<Row> seen) {
        return deleteTold(seen.stream().map(row -> new Told(row, List.of())).toList());
    }

    @Override
    public Map<State, Long> counts() {
        return steps.ask(sql("counts"), parameters -> {}, rows -> {
            Map<State, Long> counts = new EnumMap<>(State.class);
            while (rows.next()) {
                counts.put(State.ofWord(rows.getString(1)), rows.getLong(2));
            }
            return counts;
        });
    }

    @Override
    public Optional<List<Counts.Group>> counts(Query query, Set<State> stored, long from) {
        QuerySql matching = new QuerySql(query, stored, from, this::isFew);
        return Optional.of(steps.ask(matching.in(sql("count-groups")), matching::bind, StoredRow::groups));
    }

    /** In two statements: a transaction that holds an entry for long does not hold the hours. */
    @Override
    public void countReplays(Map<Ticket, Long> more, List<Hourly> hours) {
        try {
            hours().add(hours);
        } finally {
            countReplays(more);
        }
    }

    @Override
    public int deleteTold(List<Told> seen) {
        return hours().delete(seen);
    }

    @Override
    public Optional<Figures> figures(Query query, Instant since, long behind, Consumer<Rows> others) {
        return steps.run(connection -> Snapshot.read(server, connection, store -> {
            HoursTable hours = store.hours();
            Optional<Figures> figures =
                    hours.figures(query, since, stored -> new QuerySql(query, stored, behind, store::isFew));
            if (figures.isPresent()) {
                hours.others(from -> new QuerySql(query, Set.of(), from, store::isFew), since, behind, others);
            }
            return figures;
        }));
    }

    private HoursTable hours() {
        return new HoursTable(steps, server);
    }

    @Override
    public Optional<LabelNames> labelNames() {
        return Optional.of(steps.ask(
                sql("label-names"),
                parameters -> parameters.number(MOST_LOOKED_AT).number(MOST_LOOKED_AT),
                StoredRow::labelNames));
    }

    @Override
    public long replays() {
        return number("replays");
    }

    @Override
    public Class<Connection> connectionType() {
        return Connection.class;
    }

    @Override
    public boolean exclusive() {
        return false;
    }

    @Override
    public Joined<Connection> join(@Nullable Connection connection) {
        return connection == null
                ? PostgresqlTransaction.onOwn(server)
                : PostgresqlTransaction.onCallers(server, connection);
    }

    @Override
    public EntryStore within(Connection connection, Duration wait) {
        return CallersTransaction.store(server, connection, wait);
    }

    @Override
    public String describe() {
        return server.describe();
    }

    @Override
    public void close() {
        server.database().close();
    }

    private String sql(String name) {
        return server.statements().get(name);
    }

    private long number(String name) {
        return steps.ask(sql(name), parameters -> {}, row -> row.next() ? row.getLong(1) : 0L);
    }

    /** {@code scope, operation, key} as arrays. */
    static Parameters addresses(Parameters parameters, List<Address> addresses) throws SQLException {
        return parameters
                .array("text", each(addresses, Address::scope))
                .array("text", each(addresses, Address::operation))
                .array("text", each(addresses, Address::key));
    }

    static <T> Object[] each(List<T> all, Function<T, Object> part) {
        return all.stream().map(part).toArray();
    }
}
