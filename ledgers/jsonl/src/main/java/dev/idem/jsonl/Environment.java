package dev.idem.jsonl;

import dev.idem.jsonl.disk.Disk;
import dev.idem.jsonl.disk.LookingDisk;
import dev.idem.jsonl.disk.RealDisk;
import java.util.concurrent.Executor;

/**
 * The injected dependencies of a store.
 *
 * @param background runs compactions
 */
record Environment(Disk disk, Executor background) {
    /** A read-only view of the disk; nothing is ever compacted. */
    static Environment looking(LookingDisk disk) {
        return new Environment(disk, task -> {});
    }

    /** The disk of this host, and a thread for each compaction. */
    static Environment real() {
        return new Environment(new RealDisk(), task -> {
            Thread thread = new Thread(task, "idem-jsonl-compaction");
            thread.setDaemon(true);
            thread.start();
        });
    }
}
