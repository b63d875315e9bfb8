package dev.idem;

import dev.idem.spi.Effect;
import dev.idem.spi.Fence;
import dev.idem.spi.ImportedRun;
import dev.idem.spi.ResolvedBy;
import dev.idem.spi.Settlement;
import dev.idem.spi.Times;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The origin of a value: the attempt that made it, when, and whether this call ran or replayed it.
 *
 * <pre>{@code
 * idem.operation("charge").key("order-7").observe(origin -> log.info(origin.message())).run(action);
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 *
 * @param fence the fence of the attempt that made the value; null for a READ, which has no entry
 * @param executedAt when that attempt was granted; for an imported entry, when it ran at its origin
 * @param completedAt when that attempt was complete; null where this call made the value itself
 * @param expiresAt when the stored value stops answering duplicates; null where none is stored
 * @param effect the effect of this call; {@link Effect#NOOP} for a replay
 * @param how a few words about how the value was made
 */
public record Provenance(
        Address address,
        @Nullable Fence fence,
        int attempt,
        Instant executedAt,
        @Nullable Instant completedAt,
        @Nullable Instant expiresAt,
        Effect effect,
        String how,
        List<Warning> warnings) {
    public Provenance {
        warnings = List.copyOf(warnings);
    }

    /** The origin of a value that a READ has made. It has no entry. */
    public static Provenance ofRead(Address address, Instant now, List<Warning> warnings) {
        return new Provenance(address, null, 1, now, null, null, Effect.NOOP, "read", warnings);
    }

    /** The origin of a value that this call has made. */
    public static Provenance ofRun(Entry entry, List<Warning> warnings) {
        Effect effect =
                entry.settlement() instanceof Settlement.Completed completed ? completed.effect() : Effect.CREATED;
        String how = entry.attempt() == 1 ? "ran" : "ran, attempt " + entry.attempt();
        return new Provenance(
                entry.address(),
                entry.tenure().acted(),
                entry.attempt(),
                entry.times().claimed(),
                null,
                entry.times().expires(),
                effect,
                how,
                warnings);
    }

    /** The origin of a value that an earlier attempt has made, or that a person has given. */
    public static Provenance ofReplay(Entry entry, String how, List<Warning> warnings) {
        ResolvedBy person = entry.resolution();
        String note =
                person != null ? person.told() : entry.note() == null ? null : "recorded as text: " + entry.note();
        Times times = entry.times();
        ImportedRun there = ImportedRun.of(entry.labels());
        Instant settled = Objects.requireNonNullElse(times.settled(), times.claimed());
        return new Provenance(
                entry.address(),
                entry.tenure().acted(),
                entry.attempt(),
                there == null ? begun(entry) : there.began(),
                there == null ? settled : there.ended(),
                times.expires(),
                Effect.NOOP,
                note == null ? how : how + ", " + note,
                warnings);
    }

    /** A probe is granted long after the attempt it finds. The first claim is the best known start of that attempt. */
    private static Instant begun(Entry entry) {
        return entry.probing() ? entry.times().created() : entry.times().claimed();
    }

    /** Whether an earlier or another call made the value. */
    public boolean replayed() {
        return completedAt != null;
    }

    /** One sentence for people. */
    public String message() {
        return completedAt == null ? how : how + ": it ran at " + executedAt + " and was complete at " + completedAt;
    }
}
