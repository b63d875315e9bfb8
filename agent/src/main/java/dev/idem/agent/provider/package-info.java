/**
 * Providers and their idempotency keys: the form and place of a key, and how long the provider remembers it.
 */
@NullMarked
package dev.idem.agent.provider;

import org.jspecify.annotations.NullMarked;
