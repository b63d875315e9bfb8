/**
 * Trying again: how often, how long apart, and above all whether at all, which the declared side effect decides. Needs
 * no ledger; inside a guarded call every try has the same key.
 */
@NullMarked
package dev.idem.agent.retry;

import org.jspecify.annotations.NullMarked;
