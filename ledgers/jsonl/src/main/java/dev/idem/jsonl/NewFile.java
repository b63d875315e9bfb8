package dev.idem.jsonl;

import dev.idem.jsonl.disk.Disk;
import dev.idem.jsonl.disk.FileMark;
import dev.idem.jsonl.line.Line;
import dev.idem.jsonl.line.LineBuffer;
import dev.idem.jsonl.line.LineReader;
import dev.idem.jsonl.line.LineSource;
import dev.idem.jsonl.line.RowChange;
import dev.idem.jsonl.line.Trailer;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** A ledger file that is written beside the file it will replace, under a temporary name. */
final class NewFile implements Closeable {
    private static final int BATCH = 1 << 18;

    /** The number of bytes between syncs: a long sync would delay the syncs of the writers. */
    private static final int SYNC_AFTER = 1 << 22;

    private final Disk disk;
    private final Path path;
    private final Disk.OpenFile file;
    private final FileMark mark;
    private final LineReader reader = new LineReader();
    private final LineBuffer buffer = new LineBuffer();
    private final CRC32C sums = new CRC32C();
    private final List<RowChange> pending = new ArrayList<>();
    private final Index index = new Index();
    private long size;
    private long synced;
    private long number;
    private boolean named;
    private boolean handedOver;

    private NewFile(Disk disk, Path path, Disk.OpenFile file) throws IOException {
        this.disk = disk;
        this.path = path;
        this.file = file;
        Header.write(buffer);
        flush();
        this.mark = disk.mark(beside(path));
    }

    /** The temporary name, always the same, so that the remains of a crash are found and removed. */
    static Path beside(Path path) {
        return path.resolveSibling(path.getFileName() + ".new");
    }

    static NewFile begin(Disk disk, Path path) throws IOException {
        Disk.OpenFile file = disk.create(beside(path));
        try {
            return new NewFile(disk, path, file);
        } catch (IOException | RuntimeException | Error e) {
            remove(disk, path, file);
            throw e;
        }
    }

    private static void remove(Disk disk, Path path, Disk.OpenFile file) throws IOException {
        try {
            file.close();
        } finally {
            disk.delete(beside(path));
        }
    }

    /** Copies a line, if it changes a row, and returns that change. */
    @Nullable
    RowChange copy(LineSource source) throws IOException {
        Line line = reader.read(source.bytes(), source.start(), source.end(), size + buffer.size());
        if (!(line instanceof RowChange change)) {
            return null;
        }
        buffer.copy(source.bytes(), source.start(), source.length());
        added(change);
        return change;
    }

    /** Adds a line, given in parts. */
    void add(byte[]... parts) throws IOException {
        int from = buffer.size();
        buffer.line(parts);
        added((RowChange) reader.read(buffer.bytes(), from, buffer.size() - 1, size + from));
    }

    private void added(RowChange change) throws IOException {
        Trailer.add(sums, change.sum());
        pending.add(change);
        if (buffer.size() >= BATCH) {
            endBatch(0);
        }
    }

    /** Ends a batch of lines without a sync, because no caller waits for it. */
    void endBatch(long high) throws IOException {
        new Trailer(++number, pending.size(), buffer.size(), high, (int) sums.getValue()).write(buffer);
        flush();
        pending.forEach(index::apply);
        pending.clear();
        sums.reset();
    }

    private void flush() throws IOException {
        file.write(size, buffer.bytes(), 0, buffer.size());
        size += buffer.size();
        buffer.clear();
        if (size - synced > SYNC_AFTER) {
            sync();
        }
    }

    /** Syncs the lines so far, while no writer waits. */
    void sync() throws IOException {
        file.sync();
        synced = size;
    }

    /** Ends the last batch and syncs everything. After that the file may replace the old one. */
    void finish(long high) throws IOException {
        if (!pending.isEmpty()) {
            endBatch(high);
        }
        for (int i = 0; i < Trailer.AT_THE_END; i++) {
            Trailer.empty(++number, high).write(buffer);
        }
        flush();
        sync();
    }

    /** Replaces the old file. Not durable before {@link #syncName()}. */
    void takePlace() throws IOException {
        disk.rename(beside(path), path);
        named = true;
        if (!mark.isSameFile(disk.mark(path))) {
            throw new IOException("the new file was replaced by another one");
        }
    }

    boolean isNamed() {
        return named;
    }

    void syncName() throws IOException {
        disk.syncFolder(Objects.requireNonNull(path.getParent(), "a file has a folder"));
    }

    /** The finished file. */
    Generation generation() {
        return new Generation(file, mark, index, size, number);
    }

    /** The new owner closes the file. */
    void handOver() {
        handedOver = true;
    }

    /** Deletes the file, if it has not replaced the old one; else closes it, if it was not handed over. */
    @Override
    public void close() throws IOException {
        if (!named) {
            remove(disk, path, file);
        } else if (!handedOver) {
            file.close();
        }
    }
}
