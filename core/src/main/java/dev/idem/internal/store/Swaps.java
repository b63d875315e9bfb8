package dev.idem.internal.store;

import dev.idem.Address;
import dev.idem.LedgerUnavailableException;
import dev.idem.spi.EntryStore;
import dev.idem.spi.EntryStore.Draft;
import dev.idem.spi.EntryStore.Found;
import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.EntryStore.Swap;
import dev.idem.spi.Moment;
import dev.idem.spi.RowLockedException;
import org.jspecify.annotations.Nullable;

/** The compare-and-set loop: reads a row, decides, writes if the row is unchanged, and retries when it has changed. */
public final class Swaps {
    private static final int MOST_TURNS = 100;

    private Swaps() {}

    /** The decision about a row. The loop calls it again with a newer row when the row has changed. */
    @FunctionalInterface
    public interface Decision<A> {
        /**
         * Decides.
         *
         * @param row null where there is none
         * @param seen the entry of the row; null where there is none, or it was forgotten
         */
        Move<A> of(@Nullable Row row, @Nullable Stored seen, Moment now);
    }

    /** Decides by a row that was found before, or by a newer one. */
    public static <A> A decide(EntryStore store, Address at, Found start, Decision<A> decision) {
        return decide(store, at, start, null, decision);
    }

    /**
     * Decides by a row that was found before, or by a newer one, in five steps:
     *
     * <ol>
     *   <li>Read the entry of the row.
     *   <li>Decide: an answer alone, or a draft of the next row.
     *   <li>An answer alone is given at once or, where asked for, after a read has shown the same version.
     *   <li>Write the draft: insert it where there was no row, else replace the row that was judged. A row that another
     *       transaction holds ends the loop.
     *   <li>Written: give the answer, also where a repeated write finds its own version. Else go on with the newer row.
     * </ol>
     *
     * @param known the entry of the row that was found; null where it was not read yet
     */
    public static <A> A decide(
            EntryStore store, Address at, Found start, @Nullable Stored known, Decision<A> decision) {
        Found found = start;
        for (int turn = 0; turn < MOST_TURNS; turn++) {
            Row row = found.row();
            Stored seen = turn == 0 && known != null ? known : read(row);
            Move<A> move = decision.of(row, seen, found.now());
            Draft draft = move.draft();
            if (draft == null) {
                if (!move.confirmed() || row == null) {
                    return move.kept();
                }
                found = store.read(at);
                if (isVersion(found, row.version())) {
                    return move.kept();
                }
                continue;
            }
            if (row == null) {
                try {
                    found = store.insert(at, draft);
                } catch (RowLockedException e) {
                    return held(move, at);
                }
            } else {
                Swap swap = store.replace(row, draft, move.guard());
                if (swap instanceof Swap.Written written) {
                    return move.written().apply(written.row());
                } else if (swap instanceof Swap.Held) {
                    return held(move, at);
                }
                found = store.read(at);
            }
            Row now = found.row();
            // A row with the version of this write is this write, even if a driver has sent it twice.
            if (now != null && now.version() == draft.version()) {
                return move.written().apply(now);
            }
        }
        throw new LedgerUnavailableException("the entry " + at + " changes faster than it can be judged", null);
    }

    private static @Nullable Stored read(@Nullable Row row) {
        return row == null || row.state() == null ? null : EntryFormat.read(row);
    }

    private static <A> A held(Move<A> move, Address at) {
        if (move.answer() == null) {
            throw new LedgerUnavailableException("the row of " + at + " is held by another transaction", null);
        }
        return move.kept();
    }

    private static boolean isVersion(Found found, long version) {
        return found.row() != null && found.row().version() == version;
    }
}
