package dev.idem.agent.inbox;

import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.State;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Forgets the oldest handled events when there are too many. */
final class Trimming {
    private static final int PAGE = 1000;

    private final Idem idem;
    private final InboxPlan plan;
    private final AtomicLong handled = new AtomicLong();
    private final ReentrantLock one = new ReentrantLock();

    Trimming(Idem idem, InboxPlan plan) {
        this.idem = idem;
        this.plan = plan;
    }

    /** Counts after each tenth of the bound only: counting reads all entries. */
    void after(Delivery<?> delivery) {
        if (plan.mostEvents == Integer.MAX_VALUE || !(delivery instanceof Delivery.Handled)) {
            return;
        }
        long every = Math.max(1, plan.mostEvents / 10);
        if (handled.incrementAndGet() % every == 0 && one.tryLock()) {
            try {
                trim(idem.ledger().as(Browsable.class).orElseThrow());
            } finally {
                one.unlock();
            }
        }
    }

    /** Pages come newest first. */
    private void trim(Browsable entries) {
        Query query = Query.all()
                .withScope(plan.scope)
                .withOperation(InboxPlan.EVENT)
                .withStates(State.COMPLETE)
                .withLimit(PAGE);
        long seen = 0;
        @Nullable String after = null;
        do {
            Page page = entries.browse(query.withAfter(after));
            for (Entry entry : page.entries()) {
                if (++seen > plan.mostEvents) {
                    idem.forget(entry);
                }
            }
            after = page.next();
        } while (after != null);
    }
}
