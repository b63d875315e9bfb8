package dev.idem.postgresql;

import dev.idem.error.LedgerException;
import dev.idem.ledger.Claim;
import dev.idem.sql.ReplayCounts;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;

/** Counts replays, and writes the counts down now and then. */
final class ReplayWriting {
    private final Database database;
    private final Statements statements;
    private final ReplayCounts counts;

    ReplayWriting(Database database, Statements statements, ReplayCounts counts) {
        this.database = database;
        this.statements = statements;
        this.counts = counts;
    }

    /** Counts what was answered, if it was a replay. */
    Claim counted(Claim claim) {
        if (claim instanceof Claim.Replay replay
                && counts.add(replay.entry().fence().number())) {
            quietly(this::writeSome);
        }
        return claim;
    }

    /** Writes what waits now; what comes meanwhile may wait for the next time. */
    void writeAll() {
        for (long left = counts.entries(); left > 0; ) {
            int written = writeSome();
            left = written == 0 ? 0 : left - written;
        }
    }

    /** The same, if the server takes it: counts are lazy by design, and harm nobody's answer. */
    void writeAllQuietly() {
        quietly(this::writeAll);
    }

    private int writeSome() {
        Map<Long, Long> portion = counts.take();
        if (portion.isEmpty()) {
            return 0;
        }
        try {
            write(portion);
        } catch (LedgerException e) {
            counts.giveBack(portion);
            throw e;
        }
        return portion.size();
    }

    private void write(Map<Long, Long> portion) {
        List<Long> fences = portion.keySet().stream().sorted().toList();
        database.change(
                statements.get("count-replays"),
                parameters -> parameters
                        .array("bigint", fences.toArray())
                        .array("bigint", fences.stream().map(portion::get).toArray()));
    }

    private static void quietly(Runnable counting) {
        try {
            counting.run();
        } catch (LedgerException e) {
            System.getLogger("dev.idem").log(Level.DEBUG, "replays were not counted", e);
        }
    }
}
