package dev.idem.jsonl;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Reads a ledger file from its second line to its end. What stands before the last good trailer counts; a bad line
 * there is an error. What stands after it was never acknowledged.
 */
final class Scan {
    /** Entries are guessed to take this many bytes, so that the index need not grow often. */
    private static final int BYTES_AN_ENTRY = 700;

    private final Disk.OpenFile file;
    private final long size;
    private final Errors errors;
    private final LineHead head;
    private final Index index;
    private final List<Change> pending = new ArrayList<>();
    private final CRC32C sums = new CRC32C();
    private long batchAt;
    private long lastBatchAt;
    private long number;
    private long high;
    private boolean lastEmpty;
    private long lines = 1;

    private Scan(Disk.OpenFile file, long size, AddressHash hashes, Errors errors) {
        this.file = file;
        this.size = size;
        this.errors = errors;
        this.head = new LineHead(hashes);
        this.index = new Index(size / BYTES_AN_ENTRY);
    }

    /**
     * What a file holds.
     *
     * @param end where the last good trailer ends; what follows is to be cut off
     * @param lastBatchAt where the batch begins that this trailer ends
     * @param number of that batch
     * @param high the highest fence that was ever given out
     * @param settled whether that batch is empty, so that all before it is known to have been written through
     */
    record Found(Index index, long end, long lastBatchAt, long number, long high, boolean settled) {}

    /** Reads the file from where its first line ends. */
    static Found of(Disk.OpenFile file, long from, long size, AddressHash hashes, Errors errors) throws IOException {
        Scan scan = new Scan(file, size, hashes, errors);
        scan.batchAt = from;
        scan.lastBatchAt = from;
        scan.run();
        if (scan.number == 0) {
            // A file gets its name together with its first batch.
            throw errors.badLine(2, new BadLineException("the file has no whole batch of lines"));
        }
        return new Found(scan.index, scan.batchAt, scan.lastBatchAt, scan.number, scan.high, scan.lastEmpty);
    }

    private void run() throws IOException {
        LineSource source = new LineSource(file, batchAt, size);
        while (source.next()) {
            lines++;
            try {
                line(source);
            } catch (BadLineException e) {
                requireNothingGoodAfter(source, e);
                return;
            }
        }
    }

    private void line(LineSource source) {
        if (!source.whole()) {
            throw new BadLineException("it has no end");
        }
        head.read(source.bytes(), source.start(), source.end());
        switch (head.kind) {
            case BATCH -> trailer(source);
            case LEDGER -> throw new BadLineException("it is a first line, in the middle of the file");
            default -> {
                pending.add(Change.of(head, source.offset(), source.length()));
                Trailer.add(sums, head.sum);
            }
        }
    }

    private void trailer(LineSource source) {
        Trailer trailer = Trailer.read(source.bytes(), head.restAt, source.end());
        if (trailer.number() != number + 1
                || trailer.lines() != pending.size()
                || trailer.bytes() != source.offset() - batchAt
                || trailer.sum() != (int) sums.getValue()) {
            throw new BadLineException("it ends another batch of lines than the one before it");
        }
        index.apply(pending);
        lastEmpty = pending.isEmpty();
        pending.clear();
        sums.reset();
        number = trailer.number();
        high = Math.max(high, trailer.high());
        lastBatchAt = batchAt;
        batchAt = source.offset() + source.length();
    }

    /** A bad line with a whole batch after it is damage; one without is what a crash has left. */
    private void requireNothingGoodAfter(LineSource source, BadLineException bad) throws IOException {
        long badLine = lines;
        LineSource again = new LineSource(file, source.offset(), size);
        while (again.next()) {
            if (isGoodTrailer(again)) {
                throw errors.badLine(badLine, bad);
            }
        }
    }

    private boolean isGoodTrailer(LineSource source) throws IOException {
        try {
            head.read(source.bytes(), source.start(), source.end());
            if (head.kind != LineHead.Kind.BATCH || !source.whole()) {
                return false;
            }
            Trailer trailer = Trailer.read(source.bytes(), head.restAt, source.end());
            return trailer.bytes() <= source.offset() && vouchesFor(trailer, source.offset());
        } catch (BadLineException e) {
            return false;
        }
    }

    private boolean vouchesFor(Trailer trailer, long end) throws IOException {
        CRC32C found = new CRC32C();
        int count = 0;
        LineSource batch = new LineSource(file, end - trailer.bytes(), end);
        while (batch.next()) {
            head.read(batch.bytes(), batch.start(), batch.end());
            Trailer.add(found, head.sum);
            count++;
        }
        return count == trailer.lines() && trailer.sum() == (int) found.getValue();
    }
}
