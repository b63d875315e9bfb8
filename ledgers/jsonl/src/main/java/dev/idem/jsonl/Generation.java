package dev.idem.jsonl;

/** A ledger file and what is known of it, from one compaction to the next. Its numbers are the leading writer's. */
final class Generation {
    private final Disk.OpenFile file;
    private final Index index;
    /** Written by one thread, looked at by others. */
    private volatile long size;

    private long number;

    Generation(Disk.OpenFile file, Index index, long size, long number) {
        this.file = file;
        this.index = index;
        this.size = size;
        this.number = number;
    }

    Disk.OpenFile file() {
        return file;
    }

    Index index() {
        return index;
    }

    /** How much of the file counts. */
    long size() {
        return size;
    }

    /** The number of its last batch. */
    long number() {
        return number;
    }

    /** A further batch counts. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes it
    void grew(int bytes) {
        size += bytes;
        number++;
    }
}
