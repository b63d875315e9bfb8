package dev.idem.jsonl;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** A ledger file that is being written beside the one it will replace. It has no name that counts until the end. */
final class NewFile implements Closeable {
    private static final int BATCH = 1 << 18;

    /** So much is written before it is synced: a long sync would hold up those of the writers. */
    private static final int SYNC_AFTER = 1 << 22;

    private final Disk disk;
    private final Path path;
    private final Disk.OpenFile file;
    private final LineReader reader = new LineReader();
    private final LineBuffer buffer = new LineBuffer();
    private final CRC32C sums = new CRC32C();
    private final List<Change> pending = new ArrayList<>();
    private final Index index = new Index();
    private long size;
    private long synced;
    private long number;
    private boolean named;
    private boolean handedOver;

    private NewFile(Disk disk, Path path, Disk.OpenFile file) {
        this.disk = disk;
        this.path = path;
        this.file = file;
    }

    /** Where it is written: one name, so that what a crash has left is found and removed. */
    static Path beside(Path path) {
        return path.resolveSibling(path.getFileName() + ".new");
    }

    static NewFile begin(Disk disk, Path path) throws IOException {
        Disk.OpenFile file = disk.create(beside(path));
        try {
            NewFile begun = new NewFile(disk, path, file);
            Header.write(begun.buffer);
            begun.flush();
            return begun;
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

    /** Adds a line as it was written elsewhere, if it changes a row. Gives that change. */
    @Nullable
    Change copy(LineSource source) throws IOException {
        Line line = reader.read(source.bytes(), source.start(), source.end(), size + buffer.size());
        if (!(line instanceof Change change)) {
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
        added((Change) reader.read(buffer.bytes(), from, buffer.size() - 1, size + from));
    }

    private void added(Change change) throws IOException {
        Trailer.add(sums, change.sum());
        pending.add(change);
        if (buffer.size() >= BATCH) {
            endBatch(0);
        }
    }

    /** Ends a batch of lines. Nobody waits for it, so it is not written through yet. */
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

    /** Writes through what was added so far, while nobody waits for it. */
    void sync() throws IOException {
        file.sync();
        synced = size;
    }

    /** Ends the last batch, and writes everything through. Then it may take its place. */
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

    /** Takes the place of the old file. Not lasting before {@link #syncName()}. */
    void takePlace() throws IOException {
        disk.rename(beside(path), path);
        named = true;
    }

    boolean isNamed() {
        return named;
    }

    void syncName() throws IOException {
        disk.syncFolder(Objects.requireNonNull(path.getParent(), "a file has a folder"));
    }

    /** What it is now. */
    Generation generation() {
        return new Generation(file, index, size, number);
    }

    /** From now on somebody else closes the file. */
    void handOver() {
        handedOver = true;
    }

    /** Gives up what was not handed over. It stays in its place, if it has taken it. */
    @Override
    public void close() throws IOException {
        if (!named) {
            remove(disk, path, file);
        } else if (!handedOver) {
            file.close();
        }
    }
}
