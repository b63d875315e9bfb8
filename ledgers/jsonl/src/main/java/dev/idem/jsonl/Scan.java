package dev.idem.jsonl;

import dev.idem.jsonl.disk.Disk;
import dev.idem.jsonl.line.BadLineException;
import dev.idem.jsonl.line.Line;
import dev.idem.jsonl.line.LineReader;
import dev.idem.jsonl.line.LineSource;
import dev.idem.jsonl.line.RowChange;
import dev.idem.jsonl.line.Trailer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Reads a ledger file from its second line to its end. Everything before the last good trailer is valid; a bad line
 * there is an error. Nothing after that trailer was ever acknowledged.
 */
final class Scan {
    private final Disk.OpenFile file;
    private final long size;
    private final Errors errors;
    private final LineReader reader = new LineReader();
    private final Index index = new Index();
    private final List<RowChange> pending = new ArrayList<>();
    private final CRC32C sums = new CRC32C();
    private long batchAt;
    private long lastBatchAt;
    private long number;
    private long high;
    private boolean lastEmpty;
    private long lines = 1;

    private Scan(Disk.OpenFile file, long size, Errors errors) {
        this.file = file;
        this.size = size;
        this.errors = errors;
    }

    /**
     * The content of a file.
     *
     * @param end the end of the last good trailer; the rest is to be truncated
     * @param lastBatchAt the start of that trailer's batch
     * @param number of that batch
     * @param high the highest fence that was ever given out
     * @param settled whether that batch is empty, which proves that everything before it was synced
     */
    record Found(Index index, long end, long lastBatchAt, long number, long high, boolean settled) {}

    /** Reads the file from the end of its first line. */
    static Found of(Disk.OpenFile file, long from, long size, Errors errors) throws IOException {
        Scan scan = new Scan(file, size, errors);
        scan.batchAt = from;
        scan.lastBatchAt = from;
        scan.run();
        if (scan.number == 0) {
            // A file gets its name only after its first batch.
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
        Line line = read(source);
        if (line instanceof Trailer trailer) {
            trailer(trailer, source);
        } else if (line instanceof RowChange change) {
            pending.add(change);
            Trailer.add(sums, change.sum());
        }
    }

    private Line read(LineSource source) {
        return reader.read(source.bytes(), source.start(), source.end(), source.offset());
    }

    private void trailer(Trailer trailer, LineSource source) {
        if (trailer.number() != number + 1
                || trailer.lines() != pending.size()
                || trailer.bytes() != source.offset() - batchAt
                || trailer.sum() != (int) sums.getValue()) {
            throw new BadLineException("it ends another batch of lines than the one before it");
        }
        pending.forEach(index::apply);
        lastEmpty = pending.isEmpty();
        pending.clear();
        sums.reset();
        number = trailer.number();
        high = Math.max(high, trailer.high());
        lastBatchAt = batchAt;
        batchAt = source.offset() + source.length();
    }

    /** A bad line before a complete batch is damage; otherwise it is the remains of a crash. */
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
            return source.whole()
                    && read(source) instanceof Trailer trailer
                    && trailer.bytes() <= source.offset()
                    && vouchesFor(trailer, source.offset());
        } catch (BadLineException e) {
            return false;
        }
    }

    private boolean vouchesFor(Trailer trailer, long end) throws IOException {
        CRC32C found = new CRC32C();
        int count = 0;
        LineSource batch = new LineSource(file, end - trailer.bytes(), end);
        while (batch.next()) {
            if (read(batch) instanceof RowChange change) {
                Trailer.add(found, change.sum());
            }
            count++;
        }
        return count == trailer.lines() && trailer.sum() == (int) found.getValue();
    }
}
