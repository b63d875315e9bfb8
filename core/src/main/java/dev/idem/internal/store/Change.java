package dev.idem.internal.store;

import dev.idem.spi.EntryStore.Draft;
import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.Moment;

/**
 * An entry that is to be written.
 *
 * @param draft its row
 * @param written the moment that stands for the time of the write
 */
public record Change(Draft draft, Stored stored, Moment written) {
    /** The entry in the row that was written. */
    public Stored in(Row row) {
        // A document has a question mark for half of a surrogate pair, and is answered as it is kept.
        return has(row.document(), '?') ? EntryFormat.read(row) : stored.in(row, written);
    }

    private static boolean has(byte[] document, char sign) {
        for (byte each : document) {
            if (each == sign) {
                return true;
            }
        }
        return false;
    }
}
