package dev.idem.postgresql;

import dev.idem.entry.Address;
import dev.idem.entry.Failure;
import dev.idem.entry.Payload;
import dev.idem.entry.ProcessRef;
import dev.idem.entry.Retention;
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

    /** {@code host, pid, start}. */
    Parameters process(@Nullable ProcessRef process) throws SQLException {
        return process == null
                ? text(null).number(null).number(null)
                : text(process.host()).number(process.pid()).number(process.start());
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

    /** The fields of the type settlement. */
    Parameters outcome(Outcome outcome) throws SQLException {
        Retention retention = outcome.retention();
        Failure failure = outcome.failure();
        Payload payload = outcome.payload();
        text(outcome.word()).text(outcome.effect()).flag(outcome.kept());
        number(retention == null ? null : (Long) Micros.of(retention.keep()));
        number(retention == null ? null : (Long) Micros.of(retention.tombstone()));
        text(outcome.reason());
        text(failure == null ? null : failure.type()).text(failure == null ? null : failure.message());
        text(payload == null ? null : payload.mediaType());
        text(payload == null ? null : payload.codec()).text(payload == null ? null : payload.encoding());
        return bytes(payload == null ? null : payload.bytes());
    }
}
