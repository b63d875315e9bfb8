package dev.idem.agent.batch;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** The items of a job. Null is refused: it would look like the end of the items. */
final class Items<I> implements Iterator<I> {
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
            throw new IllegalArgumentException("job '" + job + "': item " + number + " is null, so nothing tells what "
                    + "to do with it. Take it out and run the job again; what is complete is skipped");
        }
        return item;
    }
}
