package dev.idem.cli.batch;

import dev.idem.cli.syntax.UsageException;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The items of a batch as they arrive: a separate thread reads ahead, so that lines run before the input ends.
 */
final class Feed implements AutoCloseable {
    private static final int AHEAD = 1000;

    private final Lines lines;
    private final Item.Maker maker;
    private final BlockingQueue<Place> queue = new ArrayBlockingQueue<>(AHEAD);
    private final AtomicInteger read = new AtomicInteger();
    private final Thread thread = new Thread(this::read, "idem-batch-lines");
    private volatile boolean ended;
    private volatile @Nullable String trouble;

    /** An item, or the end. */
    private record Place(@Nullable Item item) {}

    Feed(Lines lines, Item.Maker maker) {
        this.lines = lines;
        this.maker = maker;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void read() {
        try {
            for (String line = lines.next(); line != null; line = lines.next()) {
                Item item = maker.make(line);
                read.incrementAndGet();
                queue.put(new Place(item));
            }
        } catch (IOException e) {
            trouble = "the lines can't be read: " + e;
        } catch (UsageException e) {
            trouble = e.getMessage();
        } catch (InterruptedException e) {
            // The batch has ended and needs no more lines.
            return;
        }
        ended = trouble == null;
        end();
    }

    private void end() {
        try {
            queue.put(new Place(null));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The next item, for any of several threads; null at the end. */
    @Nullable
    Item take() throws InterruptedException {
        Item item = queue.take().item();
        if (item == null) {
            // For the other threads; those that put have ended.
            queue.put(new Place(null));
        }
        return item;
    }

    /** The number of items read so far. */
    int count() {
        return read.get();
    }

    /** Whether all items were read. */
    boolean isWhole() {
        return ended;
    }

    /** The reason why reading stopped early; null if it did not. */
    @Nullable
    String trouble() {
        return trouble;
    }

    @Override
    public void close() throws IOException {
        thread.interrupt();
        lines.close();
    }
}
