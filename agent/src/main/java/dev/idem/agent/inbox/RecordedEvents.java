package dev.idem.agent.inbox;

import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.State;
import dev.idem.spi.Fence;
import dev.idem.spi.Settlement;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The recorded events of a source, and the next step of each. All state is in the ledger, so that any process can take
 * the next step: the entry of the event knows its attempts and the time of the last one.
 *
 * <p>A recorded event is forgotten only after its own entry is complete, or after it is in the list of those given up.
 */
final class RecordedEvents {
    private static final System.Logger LOG = System.getLogger("dev.idem.agent");

    /** Bodies may be large, and a page holds them all. */
    private static final int PAGE = 20;

    private static final Duration UNTIL_RESOLVED = Duration.ofMinutes(1);

    private final Idem idem;
    private final KeptEvents kept;
    private final Pace pace;
    private final Function<Event, Delivery<?>> receiver;

    RecordedEvents(Idem idem, String scope, Pace pace, Function<Event, Delivery<?>> receiver) {
        this.idem = idem;
        this.kept = new KeptEvents(idem, scope);
        this.pace = pace;
        this.receiver = receiver;
    }

    String key(Event event) {
        return EventKeys.of(kept.scope(), event);
    }

    /** Records an event, unless it was handled before. */
    InboxDriver.Taken take(Event event) {
        String key = key(event);
        if (isHandled(key)) {
            return InboxDriver.Taken.HANDLED;
        }
        return switch (kept.record(key, event, null)) {
            case NOW, BEFORE -> InboxDriver.Taken.RECORDED;
            case TOO_LARGE -> InboxDriver.Taken.TOO_LARGE;
            // It may have been handled and forgotten since it was looked for.
            case UNKNOWN -> isHandled(key) ? InboxDriver.Taken.HANDLED : InboxDriver.Taken.UNKNOWN;
        };
    }

    private boolean isHandled(String key) {
        return kept.find(InboxPlan.EVENT, key)
                .filter(entry -> entry.settlement() instanceof Settlement.Completed)
                .isPresent();
    }

    /** Where a recorded event is, in the order of recording. */
    record Place(Fence fence, String key) {}

    /**
     * Finds recorded events, oldest first.
     *
     * @param most how many at most
     * @param after only those that were recorded after this one; null for all
     */
    List<Place> oldest(int most, @Nullable Fence after) {
        Query query = Query.all()
                .withScope(kept.scope())
                .withOperation(InboxPlan.RECORDED)
                .withStates(State.COMPLETE)
                .withLimit(PAGE);
        // A ledger shows the newest first.
        Deque<Place> found = new ArrayDeque<>();
        @Nullable String next = null;
        do {
            Page page = browsable().browse(query.withAfter(next));
            next = page.next();
            for (Entry entry : page.entries()) {
                if (after != null && entry.fence().compareTo(after) <= 0) {
                    return List.copyOf(found);
                }
                found.addFirst(new Place(entry.fence(), entry.address().key()));
                if (found.size() > most) {
                    found.removeLast();
                }
            }
        } while (next != null);
        return List.copyOf(found);
    }

    /**
     * Handles a recorded event if it is due.
     *
     * @return how long to wait before the next step; null if there is none
     */
    @Nullable
    Duration step(String key) {
        Duration wait = waitFor(key);
        if (!wait.isZero()) {
            return wait;
        }
        Entry recorded = kept.find(InboxPlan.RECORDED, key).orElse(null);
        KeptEvents.Kept event =
                recorded == null ? null : KeptEvents.read(recorded).orElse(null);
        if (recorded == null || event == null) {
            return null;
        }
        finishSendingAgain(recorded);
        Delivery<?> delivery = receiver.apply(event.event());
        if (delivery.acknowledge()) {
            idem.forget(recorded);
            if (delivery instanceof Delivery.DeadLettered) {
                LOG.log(Level.WARNING, "the event {0} in {1} is given up", key, kept.scope());
            }
            return null;
        }
        if (delivery instanceof Delivery.InFlight) {
            return pace.lookEvery();
        }
        LOG.log(Level.WARNING, () -> "the event " + key + " in " + kept.scope() + ": " + delivery.reason());
        return delivery instanceof Delivery.Failed
                ? kept.find(InboxPlan.EVENT, key)
                        .map(entry -> pace.waitAfter(entry.attempt()))
                        .orElse(pace.firstWait())
                : UNTIL_RESOLVED;
    }

    /** Removes the dead letter that this event replaces, if the process that sent it again died before it did so. */
    private void finishSendingAgain(Entry recorded) {
        String replaced = recorded.labels().get(KeptEvents.AGAIN);
        if (replaced != null) {
            kept.find(InboxPlan.DEAD_LETTER, recorded.address().key())
                    .filter(letter -> letter.fence().toString().equals(replaced))
                    .ifPresent(idem::forget);
        }
    }

    /**
     * How long the event has to wait before it is looked at again; zero if it is due. The ledger compares the times: its
     * clock and that of this process may differ.
     */
    private Duration waitFor(String key) {
        Entry entry = kept.find(InboxPlan.EVENT, key).orElse(null);
        if (entry == null || entry.state() == State.COMPLETE || entry.state() == State.EXPIRED) {
            return Duration.ZERO;
        }
        if (entry.state() == State.IN_PROGRESS) {
            return pace.lookEvery();
        }
        Duration wait = pace.waitAfter(entry.attempt());
        Query due = Query.all()
                .withScope(kept.scope())
                .withOperation(InboxPlan.EVENT)
                .withKey(key)
                .withAge(wait, null)
                .withLimit(1);
        if (!browsable().browse(due).entries().isEmpty()) {
            return Duration.ZERO;
        }
        return wait.compareTo(pace.lookEvery()) < 0 ? wait : pace.lookEvery();
    }

    private Browsable browsable() {
        return idem.ledger().as(Browsable.class).orElseThrow();
    }
}
