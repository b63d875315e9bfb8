package dev.idem.jsonl;

import dev.idem.internal.ledger.WriteQueue;
import java.util.Queue;
import java.util.function.BiConsumer;

/** The steps of all threads, written in batches. */
final class GroupCommit extends WriteQueue<Request<?>> {
    private final BiConsumer<Request<?>, Queue<Request<?>>> writer;

    /** {@code writer} writes a request and as many queued ones as fit into a batch, and answers each. */
    GroupCommit(BiConsumer<Request<?>, Queue<Request<?>>> writer) {
        this.writer = writer;
    }

    /** Runs the step in a batch and returns its answer once the batch is synced. */
    <A> A submit(Request.Work<A> work) {
        Request<A> own = new Request<>(work);
        await(own);
        return own.answer();
    }

    @Override
    protected void write(Request<?> first, Queue<Request<?>> more) {
        writer.accept(first, more);
    }
}
