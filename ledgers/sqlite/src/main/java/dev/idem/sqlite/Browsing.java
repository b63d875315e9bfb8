package dev.idem.sqlite;

import dev.idem.entry.Entry;
import dev.idem.entry.Moment;
import dev.idem.entry.State;
import dev.idem.ledger.Page;
import dev.idem.ledger.Query;
import dev.idem.ledger.StateMachine;
import dev.idem.ledger.Stats;
import dev.idem.sql.Micros;
import dev.idem.sql.ReplayCounts;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Lists and counts entries as they count now, which may differ from what was written. */
final class Browsing {
    private final StateMachine rules;
    private final ReplayCounts replays;

    Browsing(StateMachine rules, ReplayCounts replays) {
        this.rules = rules;
        this.replays = replays;
    }

    /** An entry as it counts now; null when it has expired. */
    @Nullable
    Entry view(Entry stored, Moment now) {
        Entry seen = rules.view(stored, now);
        if (seen == null) {
            return null;
        }
        long waiting = replays.of(stored.fence().number());
        return waiting == 0 ? seen : seen.withReplays(seen.replays() + waiting);
    }

    Page page(SqliteConnection sqlite, Query query, Moment now) throws SQLException {
        List<Entry> found = new ArrayList<>();
        BrowseSql sql = BrowseSql.of(query, now);
        try (PreparedStatement select = sqlite.prepare(sql.text())) {
            sql.bind(select);
            try (ResultSet rows = select.executeQuery()) {
                while (found.size() <= query.limit() && rows.next()) {
                    Entry entry = view(RowReader.read(rows).entry(), now);
                    if (entry != null
                            && (query.states().isEmpty() || query.states().contains(entry.state()))) {
                        found.add(entry);
                    }
                }
            }
        }
        if (found.size() <= query.limit()) {
            return new Page(found, null);
        }
        List<Entry> page = found.subList(0, query.limit());
        return new Page(page, page.get(page.size() - 1).fence().toString());
    }

    /** How many entries have come due. */
    static long due(SqliteConnection sqlite, Moment now) throws SQLException {
        PreparedStatement count = sqlite.statement("count-due");
        count.setLong(1, Micros.of(now.wall()));
        count.setLong(2, Micros.of(now.wall()));
        try (ResultSet row = count.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    Stats stats(SqliteConnection sqlite, Moment now) throws SQLException {
        sqlite.run("begin-reading");
        try {
            return count(sqlite, now);
        } finally {
            sqlite.run("commit");
        }
    }

    private Stats count(SqliteConnection sqlite, Moment now) throws SQLException {
        Map<State, Long> counts = new EnumMap<>(State.class);
        long replayed = replays.total();
        PreparedStatement settled = sqlite.statement("count-settled");
        settled.setLong(1, Micros.of(now.wall()));
        try (ResultSet rows = settled.executeQuery()) {
            while (rows.next()) {
                counts.merge(State.ofWord(rows.getString(1)), rows.getLong(2), Long::sum);
                replayed += rows.getLong(3);
            }
        }
        try (ResultSet rows = sqlite.statement("in-progress").executeQuery()) {
            while (rows.next()) {
                Entry entry = rules.view(RowReader.read(rows).entry(), now);
                if (entry != null) {
                    counts.merge(entry.state(), 1L, Long::sum);
                    replayed += entry.replays();
                }
            }
        }
        return new Stats(counts, replayed);
    }
}
