package dev.idem;

import dev.idem.spi.Effect;
import dev.idem.spi.Fence;
import dev.idem.spi.ImportedRun;
import dev.idem.spi.Settlement;
import dev.idem.spi.Times;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where a value comes from.
 *
 * @param fence of the attempt that made it; null for a READ, which is not claimed
 * @param executedAt when that attempt was granted; of an entry that was taken over from elsewhere, when it was there
 * @param completedAt when it was complete; null where this call made the value itself
 * @param effect what it did; for a replay {@link Effect#NOOP}, since this call did nothing
 * @param how the value came about, in a few words
 */
public record Provenance(
        Address address,
        @Nullable Fence fence,
        int attempt,
        Instant executedAt,
        @Nullable Instant completedAt,
        Effect effect,
        String how,
        List<Warning> warnings) {
    public Provenance {
        warnings = List.copyOf(warnings);
    }

    /** Of a value this very call has made. */
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
                effect,
                how,
                warnings);
    }

    /** Of a value an earlier attempt has made. */
    public static Provenance ofReplay(Entry entry, String how, List<Warning> warnings) {
        Times times = entry.times();
        ImportedRun there = ImportedRun.of(entry.labels());
        Instant settled = Objects.requireNonNullElse(times.settled(), times.claimed());
        return new Provenance(
                entry.address(),
                entry.tenure().acted(),
                entry.attempt(),
                there == null ? begun(entry) : there.began(),
                there == null ? settled : there.ended(),
                Effect.NOOP,
                how,
                warnings);
    }

    /** A probe is granted long after the attempt that it finds; of that one the first claim is known. */
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
