package dev.idem.internal.store;

import dev.idem.State;
import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.browse.Figures.Kind;
import dev.idem.spi.browse.TrailLine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tries of an entry, as its trail tells them.
 *
 * @param from tries that began before this time may be missing, because the trail was too long; null for none
 */
public record Tries(List<Try> all, @Nullable Instant from) {
    /**
     * A try.
     *
     * @param millis how long it took; −1 if it did not complete
     */
    public record Try(Instant began, Kind kind, long millis) {}

    /**
     * Reads the tries of a row, forgotten or not.
     *
     * @param now the state that the entry has now; null where that is not known
     */
    public static Tries of(Row row, @Nullable State now) {
        Stored stored = row.state() == null ? null : EntryFormat.read(row);
        Trail trail = stored == null ? new Trail(EntryFormat.trail(row), null, null) : stored.trail();
        Instant from = trail.cutUntil();
        List<Try> all = new ArrayList<>();
        TrailLine began = null;
        TrailLine ended = null;
        for (TrailLine line : stored == null ? trail.past() : trail.lines(stored.entry())) {
            boolean begins = List.of("granted", "rerun", "probing").contains(line.event());
            if (begins && began != null) {
                all.add(one(began, ended, Kind.IN_DOUBT));
            }
            if (begins) {
                // A probe is no try, and what it finds out is not the ending of the one before.
                began = line.event().equals("probing") ? null : line;
                ended = null;
            } else if (List.of("complete", "failed", "in_doubt").contains(line.event())) {
                ended = line;
            }
            if (line.at().equals(from)) {
                // The lines before this one are missing, and with them the ending of the try that began there.
                began = begins ? began : null;
            }
        }
        if (began != null) {
            all.add(one(began, ended, now == null ? Kind.IN_DOUBT : Kind.ofWord(now.word())));
        }
        return new Tries(all, from);
    }

    private static Try one(TrailLine began, @Nullable TrailLine ended, Kind otherwise) {
        Kind kind = ended == null ? otherwise : Kind.ofWord(ended.event());
        return new Try(began.at(), kind, ended == null || kind != Kind.COMPLETE ? -1 : millis(began.at(), ended.at()));
    }

    /** A clock may have stepped back meanwhile. */
    private static long millis(Instant began, Instant ended) {
        return Math.max(0, Duration.between(began, ended).toMillis());
    }
}
