package dev.idem.postgresql;

import dev.idem.entry.Address;
import dev.idem.entry.Payload;
import dev.idem.sql.Micros;
import dev.idem.sql.Outcome;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Binds the parameters of a statement from left to right. */
final class Parameters {
    private final PreparedStatement statement;
    private int next = 1;

    Parameters(PreparedStatement statement) {
        this.statement = statement;
    }

    Parameters text(@Nullable String text) throws SQLException {
        statement.setString(next++, text == null ? null : Stored.plain(text));
        return this;
    }

    Parameters number(@Nullable Long number) throws SQLException {
        if (number == null) {
            statement.setNull(next++, Types.BIGINT);
        } else {
            statement.setLong(next++, number);
        }
        return this;
    }

    Parameters integer(int number) throws SQLException {
        statement.setInt(next++, number);
        return this;
    }

    Parameters duration(Duration duration) throws SQLException {
        return number(Micros.of(duration));
    }

    Parameters flag(boolean flag) throws SQLException {
        statement.setBoolean(next++, flag);
        return this;
    }

    Parameters bytes(byte @Nullable [] bytes) throws SQLException {
        statement.setBytes(next++, bytes);
        return this;
    }

    Parameters array(String type, Object... values) throws SQLException {
        statement.setArray(next++, statement.getConnection().createArrayOf(type, values));
        return this;
    }

    /** {@code scope, operation, key}. */
    Parameters address(Address address) throws SQLException {
        return text(address.scope()).text(address.operation()).text(address.key());
    }

    /** {@code fence, marks, owner_dead, child_lives}. */
    Parameters judgement(@Nullable Judgement judgement) throws SQLException {
        if (judgement == null) {
            return number(null).integer(0).flag(false).flag(false);
        }
        return number(judgement.fence())
                .integer(judgement.marks())
                .flag(judgement.ownerDead())
                .flag(judgement.childLives());
    }

    /** A settlement, and the bytes of its result. */
    Parameters outcome(Outcome outcome) throws SQLException {
        Payload payload = outcome.payload();
        return text(PackedText.settlement(outcome, null)).bytes(payload == null ? null : payload.bytes());
    }
}
