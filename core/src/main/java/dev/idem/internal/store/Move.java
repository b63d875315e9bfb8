package dev.idem.internal.store;

import dev.idem.spi.EntryStore.Draft;
import dev.idem.spi.EntryStore.Guard;
import dev.idem.spi.EntryStore.Row;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The decision of the rules about a row: an answer, or a row to write and the answer after the write.
 *
 * @param answer the answer when nothing is written, or when another transaction has locked the row; null for none
 * @param confirmed whether the answer counts only if the row is still the same when it is read again
 * @param draft the row to write; null for none
 * @param written makes the answer of the row that was written
 */
public record Move<A>(
        @Nullable A answer, boolean confirmed, @Nullable Draft draft, Guard guard, Function<Row, A> written) {
    /** Writes nothing. */
    public static <A> Move<A> keep(A answer) {
        return new Move<>(answer, false, null, Guard.VERSION, row -> answer);
    }

    /** Writes nothing, and answers only if the row has not changed meanwhile. */
    public static <A> Move<A> confirm(A answer) {
        return new Move<>(answer, true, null, Guard.VERSION, row -> answer);
    }

    /** Writes a row. */
    public static <A> Move<A> write(Draft draft, Guard guard, Function<Row, A> written) {
        return new Move<>(null, false, draft, guard, written);
    }

    /** The same with an answer for a row that another transaction has locked. */
    public Move<A> whenHeld(A held) {
        return new Move<>(held, confirmed, draft, guard, written);
    }

    A kept() {
        return Objects.requireNonNull(answer, "a move that writes nothing has an answer");
    }
}
