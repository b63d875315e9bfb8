package dev.idem.jsonl;

import dev.idem.internal.ledger.QueuedWrite;

/** A step that one thread waits for. */
final class Request<A> extends QueuedWrite<A> {
    /** A step of a batch. */
    @FunctionalInterface
    interface Work<A> {
        A run(WriteBatch batch);
    }

    private final Work<A> work;

    Request(Work<A> work) {
        this.work = work;
    }

    void run(WriteBatch batch) {
        try {
            succeed(work.run(batch));
        } catch (RuntimeException e) {
            fail(e);
        }
    }
}
