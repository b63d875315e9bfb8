/**
 * A bounded cache of reads. Callers that miss at the same time share one load; a write of the session clears it. Several
 * processes share a {@link dev.idem.agent.cache.CacheStore}, such as a ledger.
 */
@NullMarked
package dev.idem.agent.cache;

import org.jspecify.annotations.NullMarked;
