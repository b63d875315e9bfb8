package dev.idem.jsonl;

import dev.idem.jsonl.disk.Disk;
import dev.idem.jsonl.disk.FileMark;
import dev.idem.jsonl.line.BodyText;
import dev.idem.jsonl.line.LineBuffer;
import dev.idem.jsonl.line.LineSource;
import dev.idem.jsonl.line.LineWriter;
import dev.idem.jsonl.line.NewRow;
import dev.idem.jsonl.line.Trailer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Objects;

/** Opens or creates a ledger file, imports a founding file, and truncates the remains of a crash. */
final class Opening {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final int MOST_NAMED = 10;
    private static final int CHUNK = 1 << 16;
    private static final System.Logger LOG = System.getLogger(Opening.class.getName());

    private final Disk disk;
    private final Path path;
    private final Instant now;
    private final Errors errors;

    private Opening(Disk disk, Path path, Instant now) {
        this.disk = disk;
        this.path = path;
        this.now = now;
        this.errors = new Errors(path);
    }

    /**
     * An opened file.
     *
     * @param high the highest fence that was ever given out
     */
    record Opened(Generation generation, long high) {}

    static LedgerFile open(Environment environment, JsonlOptions options, Instant now) {
        Disk disk = environment.disk();
        Opening opening = new Opening(disk, options.path(), now);
        Path lockPath = options.path().resolveSibling(options.path().getFileName() + ".lock");
        try {
            Disk.Lock lock = disk.lock(lockPath);
            try {
                return new LedgerFile(environment, options, opening.errors, lock, opening.file());
            } catch (IOException | RuntimeException | Error e) {
                lock.close();
                throw e;
            }
        } catch (Disk.HeldException e) {
            throw opening.errors.held(lockPath, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw opening.errors.notOpened(e);
        }
    }

    private Opened file() throws IOException {
        disk.delete(NewFile.beside(path));
        if (!disk.exists(path)) {
            return make();
        }
        // Taken before the file is opened, so that it is never the mark of a file that has replaced the open one.
        FileMark mark = disk.mark(path);
        Disk.OpenFile file = disk.open(path);
        boolean kept = false;
        try {
            long size = file.size();
            if (size == 0) {
                return make();
            }
            LineSource source = new LineSource(file, 0, size);
            source.next();
            String first =
                    new String(source.bytes(), source.start(), source.end() - source.start(), StandardCharsets.UTF_8);
            if (!Header.isMeant(first)) {
                return takeOver(file, size);
            }
            Header.require(first, errors);
            Opened opened = existing(file, mark, source.length(), size);
            kept = true;
            return opened;
        } finally {
            if (!kept) {
                file.close();
            }
        }
    }

    private Opened make() throws IOException {
        try (NewFile made = NewFile.begin(disk, path)) {
            made.finish(0);
            made.takePlace();
            made.syncName();
            return opened(made, 0);
        }
    }

    private Opened takeOver(Disk.OpenFile file, long size) throws IOException {
        FoundingFile founding = FoundingFile.read(file, size, errors);
        Path original = keep(file, 0, size, "original");
        try (NewFile made = NewFile.begin(disk, path)) {
            long high = founding.requests().size();
            for (NewRow next : FoundingRows.of(founding.requests(), now)) {
                BodyText body = BodyText.of(next.row().body());
                made.add(LineWriter.row(next.row(), next.due()), next.row().document(), body.name(), body.value());
            }
            made.finish(high);
            made.takePlace();
            made.syncName();
            log(
                    System.Logger.Level.INFO,
                    "took over " + high + " requests of " + path + (founding.torn() ? ", all but a torn last line" : "")
                            + "; the file as it was is kept as " + original);
            if (!founding.refused().isEmpty()) {
                List<String> refused = founding.refused();
                log(
                        System.Logger.Level.WARNING,
                        refused.size() + " lines of " + path + " could not be read and were left out; requests that"
                                + " stand only there are unknown and may run again. Look at " + original + ", "
                                + String.join("; ", refused.subList(0, Math.min(MOST_NAMED, refused.size()))));
            }
            return opened(made, high);
        }
    }

    private static Opened opened(NewFile made, long high) {
        Opened opened = new Opened(made.generation(), high);
        made.handOver();
        return opened;
    }

    private Opened existing(Disk.OpenFile file, FileMark mark, long from, long size) throws IOException {
        Scan.Found found = Scan.of(file, from, size, errors);
        Generation generation = new Generation(file, mark, found.index(), found.end(), found.number());
        long torn = size - found.end();
        long high = found.high() + torn;
        if (torn > 0) {
            Path copy = keep(file, found.end(), size, "cut-" + STAMP.format(now));
            file.truncate(found.end());
            log(
                    System.Logger.Level.WARNING,
                    "ledger jsonl:" + path + " ended with " + torn + " bytes that were not written to their end, as"
                            + " after a crash. They were cut off and are kept as " + copy);
        }
        // The last batch may exist only in the system's cache: after a failed sync it looks as if it were written. So
        // it is written again before anything else: a power cut that kept later lines but not this batch would look
        // like damage.
        rewrite(file, found.lastBatchAt(), found.end());
        file.sync();
        if (torn > 0 || !found.settled()) {
            LineBuffer buffer = new LineBuffer();
            // The torn bytes held fewer fences than bytes, so high is above every lost fence.
            Trailer.empty(found.number() + 1, high).write(buffer);
            file.write(found.end(), buffer.bytes(), 0, buffer.size());
            file.sync();
            generation.grew(buffer.size());
        }
        return new Opened(generation, high);
    }

    /** Logs a change in the folder; a read-only opening changes nothing there. */
    private void log(System.Logger.Level level, String text) {
        if (disk.isLasting()) {
            LOG.log(level, text);
        }
    }

    /** Overwrites a part of the file with its own content. */
    private static void rewrite(Disk.OpenFile file, long from, long to) throws IOException {
        byte[] part = new byte[CHUNK];
        for (long at = from; at < to; at += CHUNK) {
            int length = file.read(at, part, 0, (int) Math.min(CHUNK, to - at));
            file.write(at, part, 0, length);
        }
    }

    /** Copies a part of the file into a new file beside it, under an unused name. */
    private Path keep(Disk.OpenFile file, long from, long to, String suffix) throws IOException {
        Path copy = path.resolveSibling(path.getFileName() + "." + suffix);
        for (int i = 2; disk.exists(copy); i++) {
            copy = path.resolveSibling(path.getFileName() + "." + suffix + "-" + i);
        }
        try (Disk.OpenFile kept = disk.create(copy)) {
            byte[] part = new byte[CHUNK];
            for (long at = from; at < to; at += CHUNK) {
                int length = file.read(at, part, 0, (int) Math.min(CHUNK, to - at));
                kept.write(at - from, part, 0, length);
            }
            kept.sync();
        }
        disk.syncFolder(Objects.requireNonNull(path.getParent(), "a file has a folder"));
        return copy;
    }
}
