package dev.idem.spi;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When things happened to an entry, by the ledger's wall clock.
 *
 * @param created the first claim
 * @param claimed the newest grant
 * @param settled when it was settled; null while in progress
 * @param expires when it stops answering; null while in progress or in doubt, which never expire
 */
public record Times(
        Instant created,
        Instant claimed,
        @Nullable Instant settled,
        @Nullable Instant expires) {}
