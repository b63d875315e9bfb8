package dev.idem.jsonl;

import dev.idem.jsonl.disk.Disk;
import dev.idem.jsonl.disk.FileMark;

/** A ledger file and its state in memory, from one compaction to the next. Only the leading writer changes it. */
final class Generation {
    private final Disk.OpenFile file;
    private final FileMark mark;
    private final Index index;
    /** Written by one thread, read by others. */
    private volatile long size;

    private long number;

    /** {@code mark} was taken when the file was opened or created; its size is not that of now. */
    Generation(Disk.OpenFile file, FileMark mark, Index index, long size, long number) {
        this.file = file;
        this.mark = mark;
        this.index = index;
        this.size = size;
        this.number = number;
    }

    Disk.OpenFile file() {
        return file;
    }

    FileMark mark() {
        return mark;
    }

    Index index() {
        return index;
    }

    /** The length of the valid part of the file. */
    long size() {
        return size;
    }

    /** The number of its last batch. */
    long number() {
        return number;
    }

    /** Adds a batch. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes it
    void grew(int bytes) {
        size += bytes;
        number++;
    }
}
