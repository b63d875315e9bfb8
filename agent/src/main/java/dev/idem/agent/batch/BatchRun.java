package dev.idem.agent.batch;

import dev.idem.InDoubtException;
import dev.idem.JsonException;
import dev.idem.Key;
import dev.idem.Operation;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.StaleTicketException;
import dev.idem.UnrecordedException;
import dev.idem.internal.key.Content;
import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One run over the items, in two passes. The first pass does not wait: it puts off items that are in doubt or in flight.
 * The second pass tries these again, when a doubted attempt may be over and a probe may be asked, and takes the answer.
 */
final class BatchRun<I, T extends @Nullable Object> {
    private final Operation<T> operation;
    private final BatchPlan plan;
    private final Consumer<? super ItemOutcome<?, T>> watcher;
    private final Function<? super I, String> idOf;
    private final ItemAction<? super I, ? extends T> work;
    private final Queue<I> putOff = new ConcurrentLinkedQueue<>();
    private final BatchCounts tally;

    BatchRun(
            Operation<T> operation,
            BatchPlan plan,
            Consumer<? super ItemOutcome<?, T>> watcher,
            Function<? super I, String> idOf,
            ItemAction<? super I, ? extends T> work) {
        this.operation = operation;
        this.plan = plan;
        this.watcher = watcher;
        this.idOf = idOf;
        this.work = work;
        this.tally = new BatchCounts(plan.job);
    }

    BatchReport run(Iterable<? extends I> items) {
        OptionalLong total =
                items instanceof Collection<?> known ? OptionalLong.of(known.size()) : OptionalLong.empty();
        Stop stop = new Stop();
        Operation<T> atOnce = operation.policy(Policy.unset().waitFor(Duration.ZERO));
        pass(new Items<I>(plan.job, items.iterator()), stop, total, item -> take(item, atOnce, stop, true));
        pass(putOff.iterator(), stop, total, item -> take(item, operation, stop, false));
        Crew.tell(plan.view, view -> view.end(tally.progress(total)));
        stop.rethrow();
        return tally.report(stop.reason());
    }

    private void pass(Iterator<? extends I> items, Stop stop, OptionalLong total, Consumer<I> each) {
        new Crew<I>("idem-batch-" + plan.job, plan.concurrency, stop)
                .work(items, each, plan.view, () -> tally.progress(total));
    }

    private void take(I item, Operation<T> declared, Stop stop, boolean mayPutOff) {
        String id = idOf.apply(item);
        Outcome<T> outcome = attempt(item, compared(addressed(declared, id), item));
        if (mayPutOff && waitsForSomebody(outcome)) {
            putOff.add(item);
            return;
        }
        ItemState state = stateOf(outcome);
        tally.count(id, state, outcome);
        watcher.accept(new ItemOutcome<>(item, id, state, outcome));
        if (outcome.failure() instanceof Error error) {
            stop.because(error);
        }
        if (tally.troubles() >= plan.mostTroubles) {
            stop.because(BatchWords.number(tally.troubles()) + " items have failed or are in doubt");
        }
    }

    /** Attempts an item. An effect that could not be recorded puts the item in doubt, and does not end the run. */
    private Outcome<T> attempt(I item, Operation<T> addressed) {
        try {
            return addressed.attempt(call -> work.run(item, call));
        } catch (StaleTicketException | UnrecordedException unsettled) {
            return new Outcome.InDoubt<>(unsettled);
        }
    }

    private Operation<T> addressed(Operation<T> declared, String id) {
        Operation<T> identified = declared.identity(id);
        return id.isEmpty()
                ? identified.key(Key.derive(plan.job, "batch_item", id).value())
                : identified.id(id);
    }

    /** Adds the item as content, so that an id that is used for another item is a conflict. */
    private static <T extends @Nullable Object> Operation<T> compared(Operation<T> addressed, Object item) {
        try {
            return addressed.content(Content.of(item));
        } catch (JsonException | IllegalArgumentException e) {
            return addressed;
        }
    }

    private static boolean waitsForSomebody(Outcome<?> outcome) {
        return outcome instanceof Outcome.InFlight
                || (outcome instanceof Outcome.InDoubt<?> doubt && doubt.failure() instanceof InDoubtException);
    }

    private ItemState stateOf(Outcome<T> outcome) {
        return outcome.match(new Outcome.Cases<T, ItemState>() {
            @Override
            public ItemState done(Outcome.Done<T> done) {
                return ItemState.DONE;
            }

            @Override
            public ItemState replayed(Outcome.Replayed<T> replayed) {
                return ItemState.SKIPPED;
            }

            @Override
            public ItemState inFlight(Outcome.InFlight<T> inFlight) {
                return ItemState.IN_FLIGHT;
            }

            @Override
            public ItemState conflict(Outcome.Conflict<T> conflict) {
                return ItemState.FAILED;
            }

            @Override
            public ItemState inDoubt(Outcome.InDoubt<T> inDoubt) {
                return plan.policy.safeToRerun() ? ItemState.FAILED : ItemState.IN_DOUBT;
            }

            @Override
            public ItemState failed(Outcome.Failed<T> failed) {
                return ItemState.FAILED;
            }

            @Override
            public ItemState expired(Outcome.Expired<T> expired) {
                return ItemState.SKIPPED;
            }

            @Override
            public ItemState unavailable(Outcome.Unavailable<T> unavailable) {
                return ItemState.SKIPPED;
            }
        });
    }

    /** The items of a job. Null is refused: it would look like the end of the items. */
    private static final class Items<I> implements Iterator<I> {
        private final String job;
        private final Iterator<? extends @Nullable I> given;
        private long number;

        Items(String job, Iterator<? extends @Nullable I> given) {
            this.job = job;
            this.given = given;
        }

        @Override
        public boolean hasNext() {
            return given.hasNext();
        }

        @Override
        public I next() {
            I item = given.next();
            number++;
            if (item == null) {
                throw new IllegalArgumentException(
                        "job '" + job + "': item " + number + " is null, so nothing tells what "
                                + "to do with it. Take it out and run the job again; what is complete is skipped");
            }
            return item;
        }
    }
}
