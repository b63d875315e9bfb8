package dev.idem.postgresql;

import dev.idem.entry.Moment;
import dev.idem.sql.Cells;
import dev.idem.sql.Micros;
import dev.idem.sql.TrailState;
import org.jspecify.annotations.Nullable;

/** The columns of a row as cells. A moment is one of them: a server has only a wall clock. */
final class RowCells implements Cells {
    private final @Nullable Object[] cells;
    private int at;

    RowCells(@Nullable Object[] cells) {
        this.cells = cells;
    }

    @Override
    public String text() {
        String text = textOrNull();
        if (text == null) {
            throw new IllegalArgumentException("a text is missing in column " + at);
        }
        return text;
    }

    @Override
    public @Nullable String textOrNull() {
        return (String) cells[at++];
    }

    @Override
    public long number() {
        Long number = numberOrNull();
        if (number == null) {
            throw new IllegalArgumentException("a number is missing in column " + at);
        }
        return number;
    }

    @Override
    public @Nullable Long numberOrNull() {
        Object cell = cells[at++];
        if (cell instanceof Boolean flag) {
            return flag ? 1L : 0L;
        }
        return cell == null ? null : (Long) ((Number) cell).longValue();
    }

    @Override
    public Moment moment() {
        return Moment.ofWall(Micros.instant(number()));
    }

    /** The lines of a trail are kept beside its entry, so their number and place are of no interest. */
    @Override
    public TrailState trail() {
        return new TrailState(0, 0, textOrNull(), textOrNull());
    }
}
