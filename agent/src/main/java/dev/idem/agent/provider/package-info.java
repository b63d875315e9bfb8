/**
 * Providers and their idempotency keys: how each wants its key, for how long it remembers it, and which know none.
 */
@NullMarked
package dev.idem.agent.provider;

import org.jspecify.annotations.NullMarked;
