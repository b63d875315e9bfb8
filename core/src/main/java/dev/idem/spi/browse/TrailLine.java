package dev.idem.spi.browse;

import dev.idem.spi.Fence;
import dev.idem.spi.ResolvedBy;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One thing that happened to an entry.
 *
 * @param at by the ledger's wall clock
 * @param fence the entry's fence after it
 * @param event one of {@code granted}, {@code probing}, {@code rerun}, {@code marked}, {@code complete},
 *     {@code failed}, {@code in_doubt}, {@code resolved}, {@code forgotten}
 * @param detail the owner, the person or the reason, without payloads; a text for people
 * @param resolution the decision of a person, where the event is {@code resolved}; null elsewhere, and where an earlier
 *     version wrote the line
 */
public record TrailLine(
        Instant at,
        Fence fence,
        String event,
        String detail,
        @Nullable ResolvedBy resolution) {
    /** An event that is no decision of a person. */
    public TrailLine(Instant at, Fence fence, String event, String detail) {
        this(at, fence, event, detail, null);
    }
}
