/**
 * Results of reads, kept for a while: bounded, one load for all who miss at the same time, cleared when the session has
 * written. Several processes share one through a {@link dev.idem.agent.cache.CacheStore}, such as any ledger.
 */
@NullMarked
package dev.idem.agent.cache;

import org.jspecify.annotations.NullMarked;
