package dev.idem.postgresql;

import dev.idem.Address;
import dev.idem.Json;
import dev.idem.spi.Moment;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Binds the parameters of a statement from left to right. */
final class Parameters {
    private static final int NANOS = 1_000;

    private final PreparedStatement statement;
    private int next = 1;

    Parameters(PreparedStatement statement) {
        this.statement = statement;
    }

    Parameters text(@Nullable String text) throws SQLException {
        statement.setString(next++, text);
        return this;
    }

    Parameters number(long number) throws SQLException {
        statement.setLong(next++, number);
        return this;
    }

    Parameters integer(int number) throws SQLException {
        statement.setInt(next++, number);
        return this;
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

    /** In microseconds. */
    Parameters duration(@Nullable Duration duration) throws SQLException {
        if (duration == null) {
            statement.setNull(next++, Types.BIGINT);
            return this;
        }
        return number(micros(duration));
    }

    Parameters moment(@Nullable Moment moment) throws SQLException {
        if (moment == null) {
            statement.setNull(next++, Types.TIMESTAMP_WITH_TIMEZONE);
        } else {
            statement.setObject(next++, moment.wall().atOffset(ZoneOffset.UTC));
        }
        return this;
    }

    /** {@code scope, operation, key}. */
    Parameters address(Address address) throws SQLException {
        return text(address.scope()).text(address.operation()).text(address.key());
    }

    /** JSON as text; null for none. */
    Parameters labels(Map<String, String> labels) throws SQLException {
        return text(labels.isEmpty() ? null : json(labels));
    }

    Parameters document(byte[] document) throws SQLException {
        return text(new String(document, StandardCharsets.UTF_8));
    }

    /** Labels as the server can store them: its JSON allows no U+0000 and no lone surrogates. */
    static String json(Map<String, String> labels) {
        Map<String, String> plain = new TreeMap<>();
        labels.forEach((name, value) -> plain.put(plain(name), plain(value)));
        return Json.write(plain);
    }

    private static String plain(String text) {
        return new String(text.replace('\0', '\u2400').getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    /** In microseconds, the unit of the server; a shorter duration counts as one. */
    static long micros(Duration duration) {
        long micros = Math.addExact(Math.multiplyExact(duration.getSeconds(), 1_000_000L), duration.getNano() / NANOS);
        return micros == 0 && !duration.isZero() ? 1 : micros;
    }

    /** The duration in whole microseconds. */
    static Duration whole(Duration duration) {
        return Duration.of(micros(duration), ChronoUnit.MICROS);
    }
}
