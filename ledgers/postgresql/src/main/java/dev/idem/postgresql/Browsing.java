package dev.idem.postgresql;

import dev.idem.entry.Address;
import dev.idem.entry.Entry;
import dev.idem.entry.Fence;
import dev.idem.entry.State;
import dev.idem.ledger.Page;
import dev.idem.ledger.Query;
import dev.idem.ledger.StateMachine;
import dev.idem.ledger.Stats;
import dev.idem.ledger.TrailLine;
import dev.idem.sql.Micros;
import dev.idem.sql.ReplayCounts;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds, lists and counts entries as they count now, which may differ from what was written. */
final class Browsing {
    private final Database database;
    private final Statements statements;
    private final StateMachine rules;
    private final ReplayCounts replays;
    private final Sweep sweep;

    Browsing(Database database, Statements statements, StateMachine rules, ReplayCounts replays, Sweep sweep) {
        this.database = database;
        this.statements = statements;
        this.rules = rules;
        this.replays = replays;
        this.sweep = sweep;
    }

    Optional<Entry> find(Address address) {
        return database.ask(
                statements.get("find"),
                parameters -> parameters.address(address),
                row -> row.next() ? view(Answer.read(row)) : Optional.empty());
    }

    /** An entry as it counts now; empty when it has expired. */
    private Optional<Entry> view(Answer answer) {
        return Optional.ofNullable(rules.view(answer.found(), answer.now())).map(seen -> {
            long waiting = replays.of(seen.fence().number());
            return waiting == 0 ? seen : seen.withReplays(seen.replays() + waiting);
        });
    }

    Page page(Query query) {
        long swept = BrowseSql.rare(query.states()) ? swept() : 0;
        List<Entry> found = new ArrayList<>();
        long below = query.after() == null ? Long.MAX_VALUE : cursor(query.after());
        while (below > 0 && found.size() <= query.limit()) {
            below = more(query, below, swept, found);
        }
        if (found.size() <= query.limit()) {
            return new Page(found, null);
        }
        List<Entry> page = found.subList(0, query.limit());
        return new Page(page, page.get(page.size() - 1).fence().toString());
    }

    private long swept() {
        sweep.go();
        return sweep.upTo();
    }

    /** Adds what matches of the next rows and says where to go on; 0 at the end. */
    private long more(Query query, long below, long swept, List<Entry> found) {
        BrowseSql sql = BrowseSql.of(query, below, swept);
        int rowsAtOnce = sql.rowsAtOnce(query.limit());
        return database.ask(
                sql.text(statements),
                parameters -> {
                    sql.bind(parameters);
                    parameters.integer(rowsAtOnce);
                },
                rows -> {
                    int count = 0;
                    long last = 0;
                    while (rows.next()) {
                        Answer answer = Answer.read(rows);
                        count++;
                        last = answer.found().fence().number();
                        view(answer)
                                .filter(entry -> query.states().isEmpty()
                                        || query.states().contains(entry.state()))
                                .ifPresent(found::add);
                    }
                    return count < rowsAtOnce ? 0 : last;
                });
    }

    Stats stats() {
        Map<State, Long> counts = new EnumMap<>(State.class);
        String inProgress = statements.get("in-progress").replace("{swept}", Long.toString(swept()));
        return database.run(connection -> {
            counts.clear();
            long replayed = replays.total();
            try (var statement = connection.createStatement()) {
                try (ResultSet rows = statement.executeQuery(statements.get("count-settled"))) {
                    while (rows.next()) {
                        counts.merge(State.ofWord(rows.getString(1)), rows.getLong(2), Long::sum);
                        replayed += rows.getLong(3);
                    }
                }
                try (ResultSet rows = statement.executeQuery(inProgress)) {
                    while (rows.next()) {
                        Answer answer = Answer.read(rows);
                        Entry entry = rules.view(answer.found(), answer.now());
                        if (entry != null) {
                            counts.merge(entry.state(), 1L, Long::sum);
                            replayed += entry.replays();
                        }
                    }
                }
            }
            return new Stats(counts, replayed);
        });
    }

    List<TrailLine> trail(Address address) {
        return database.ask(
                statements.get("trail"),
                parameters -> parameters.address(address).address(address),
                Browsing::lines);
    }

    private static List<TrailLine> lines(ResultSet rows) throws SQLException {
        List<TrailLine> lines = new ArrayList<>();
        while (rows.next()) {
            lines.add(new TrailLine(
                    Micros.instant(rows.getLong(1)), new Fence(rows.getLong(2)), rows.getString(3), rows.getString(4)));
        }
        return lines;
    }

    private static long cursor(String after) {
        try {
            return Long.parseLong(after);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "'" + after + "' is no place to go on from; use the next() of a page", e);
        }
    }
}
