package dev.idem.spi.browse;

import dev.idem.spi.Fence;
import java.time.Instant;

/**
 * One thing that happened to an entry.
 *
 * @param at by the ledger's wall clock
 * @param fence the entry's fence after it
 * @param event one of {@code granted}, {@code probing}, {@code rerun}, {@code marked}, {@code complete},
 *     {@code failed}, {@code in_doubt}, {@code resolved}, {@code forgotten}
 * @param detail the owner, the person or the reason, without payloads
 */
public record TrailLine(Instant at, Fence fence, String event, String detail) {}
