package dev.idem.internal.rules;

import dev.idem.Entry;
import org.jspecify.annotations.Nullable;

/**
 * The answer of an atomic step and the change it makes.
 *
 * @param put the entry to write, or null to write nothing
 * @param remove whether the entry is to be removed
 */
public record Step<A>(A answer, @Nullable Entry put, boolean remove) {
    /** Answers without changing anything. */
    public static <A> Step<A> keep(A answer) {
        return new Step<>(answer, null, false);
    }

    /** Writes the entry. */
    public static <A> Step<A> put(A answer, Entry entry) {
        return new Step<>(answer, entry, false);
    }

    /** Removes the entry. */
    public static <A> Step<A> remove(A answer) {
        return new Step<>(answer, null, true);
    }

    public boolean changes() {
        return put != null || remove;
    }
}
