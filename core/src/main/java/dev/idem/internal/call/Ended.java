package dev.idem.internal.call;

import dev.idem.Entry;
import dev.idem.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * A call that has ended.
 *
 * @param shared the entry that duplicates in this process may take their answer from; null where there is none
 */
record Ended<T extends @Nullable Object>(
        Outcome<T> outcome, @Nullable Entry shared) {}
