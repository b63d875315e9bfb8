package dev.idem.spi;

import dev.idem.spi.EntryStore.Draft;
import dev.idem.spi.EntryStore.Row;

/**
 * An entry that is to be written.
 *
 * @param draft its row
 * @param written the moment that stands for the time of the write
 */
record Change(Draft draft, Stored stored, Moment written) {
    /** The entry in the row that was written. */
    Stored in(Row row) {
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
