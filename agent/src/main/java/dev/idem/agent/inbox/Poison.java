package dev.idem.agent.inbox;

import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.State;
import dev.idem.spi.Settlement;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Match;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The events that inboxes have given up and kept ({@link Inbox#poisonAfter(int)}). It needs the ledger alone: the event
 * that is sent again is handled by the process that drives its source.
 *
 * <pre>{@code
 * Poison poison = Poison.of(idem);
 * poison.list("stripe").forEach(event -> poison.again(event.source(), event.key()));
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 */
public final class Poison {
    /** The operation of the entries in this list. */
    public static final String OPERATION = InboxPlan.DEAD_LETTER;

    private static final int PAGE = 20;
    private static final int TRIES = 10;

    private final Idem idem;

    private Poison(Idem idem) {
        this.idem = idem;
    }

    /**
     * An event that was given up.
     *
     * @param source of the event
     * @param key the key of the event
     * @param event the event itself
     * @param attempts how often its handler was run
     * @param failure the exception of the last attempt as text, which may hold secrets; null if its process died
     * @param since when it was given up
     */
    public record Poisoned(
            String source,
            String key,
            Event event,
            int attempts,
            @Nullable String failure,
            Instant since) {
        /** Shows neither body nor failure. */
        @Override
        public String toString() {
            return "Poisoned[" + source + " " + key + " after " + attempts + " attempts]";
        }
    }

    /** The list in a ledger. */
    public static Poison of(Idem idem) {
        return new Poison(idem);
    }

    /** The scope of a source's events in the ledger. */
    public static String scope(String source) {
        return InboxPlan.SCOPE + source;
    }

    /** The events of all sources, newest first. */
    public List<Poisoned> list() {
        return list(Query.all().withScopes(List.of(Match.prefix(InboxPlan.SCOPE))));
    }

    /** The events of one source, newest first. */
    public List<Poisoned> list(String source) {
        return list(Query.all().withScope(InboxPlan.SCOPE + source));
    }

    private List<Poisoned> list(Query query) {
        Browsable ledger = idem.ledger()
                .as(Browsable.class)
                .orElseThrow(() -> new IllegalStateException(
                        "ledger " + idem.ledger().describe() + " can't be browsed, so nothing can be listed"));
        Query letters = query.withOperation(InboxPlan.DEAD_LETTER)
                .withStates(State.COMPLETE)
                .withLimit(PAGE);
        List<Poisoned> found = new ArrayList<>();
        @Nullable String after = null;
        do {
            Page page = ledger.browse(letters.withAfter(after));
            page.entries().forEach(entry -> poisoned(entry).ifPresent(found::add));
            after = page.next();
        } while (after != null);
        return found;
    }

    /** One event that was given up. */
    public Optional<Poisoned> find(String source, String key) {
        return new KeptEvents(idem, InboxPlan.SCOPE + source)
                .find(InboxPlan.DEAD_LETTER, key)
                .flatMap(Poison::poisoned);
    }

    private static Optional<Poisoned> poisoned(Entry entry) {
        String scope = entry.address().scope();
        return scope.startsWith(InboxPlan.SCOPE)
                ? KeptEvents.read(entry)
                        .map(kept -> new Poisoned(
                                scope.substring(InboxPlan.SCOPE.length()),
                                entry.address().key(),
                                kept.event(),
                                kept.attempts(),
                                kept.failure(),
                                entry.times().claimed()))
                : Optional.empty();
    }

    /**
     * Sends an event again: puts it back to the recorded events of its source, with all attempts before it. It is handled
     * by an {@link InboxDriver} of the source in this or another process, at its next look.
     *
     * @return false if there is no such event in the list, or if it is just being given up or sent again by another call
     */
    public boolean again(String source, String key) {
        KeptEvents events = new KeptEvents(idem, InboxPlan.SCOPE + source);
        Entry letter = events.find(InboxPlan.DEAD_LETTER, key).orElse(null);
        KeptEvents.Kept kept = letter == null ? null : KeptEvents.read(letter).orElse(null);
        if (letter == null || kept == null) {
            return false;
        }
        for (int i = 0; i < TRIES; i++) {
            Entry recorded = events.find(InboxPlan.RECORDED, key).orElse(null);
            if (recorded != null
                    && KeptEvents.read(recorded).isPresent()
                    && letter.fence().toString().equals(recorded.labels().get(KeptEvents.AGAIN))) {
                // Another call has sent it again. To record it anew could lose it: this process may die in between.
                idem.forget(letter);
                return true;
            }
            // The attempts of its old entry would give it up at once.
            Entry event = events.find(InboxPlan.EVENT, key).orElse(null);
            if (event != null && event.settlement() instanceof Settlement.Completed) {
                // A person has resolved it: it was handled.
                idem.forget(letter);
                return false;
            }
            if (event != null && !idem.forget(event)) {
                return false;
            }
            // The driver that gave it up may be about to forget what was recorded then, so it is recorded anew. From
            // here on every driver knows which dead letter it replaces, and removes it if this process dies.
            if (recorded != null) {
                idem.forget(recorded);
            }
            if (events.record(key, kept.event(), letter) == KeptEvents.Written.NOW) {
                idem.forget(letter);
                return true;
            }
        }
        return false;
    }
}
