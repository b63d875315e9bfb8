package dev.idem.redis;

import static java.lang.Boolean.TRUE;

import dev.idem.Address;
import dev.idem.LedgerUnreadableException;
import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.Moment;
import dev.idem.spi.browse.Page.Unreadable;
import dev.idem.spi.browse.Walkable.Batch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/** Walks over all rows with SCAN, a few hundred at a time, so that no command blocks a server for long. */
final class Walk {
    private static final String BATCH = "200";
    private static final String START = "0";

    private final Nodes nodes;
    private final Keys keys;
    private final Calls calls;
    private final RedisErrors errors;
    private final Script now;

    Walk(Nodes nodes, Keys keys, Calls calls, RedisErrors errors, Script now) {
        this.nodes = nodes;
        this.keys = keys;
        this.calls = calls;
        this.errors = errors;
        this.now = now;
    }

    /** A place is the cursor at a master, that master, and those after it, as of the start of the walk. */
    Batch batch(boolean dueOnly, @Nullable String place) {
        try {
            String[] parts = place == null ? start() : place.split(" ", -1);
            return nodes.at(parts[1], (connection, asking) -> batch(connection, dueOnly, parts));
        } catch (JedisException e) {
            throw errors.of(e);
        }
    }

    private String[] start() {
        return (START + " " + String.join(" ", nodes.masters())).split(" ", -1);
    }

    private Batch batch(Connection connection, boolean dueOnly, String[] place) {
        Moment time = RowText.moment(calls.now(connection, now));
        connection.sendCommand(Command.SCAN, place[0], "MATCH", keys.pattern(), "COUNT", BATCH);
        List<Object> scanned = connection.getObjectMultiBulkReply();
        Map<Address, byte[]> found = new LinkedHashMap<>();
        for (Object key : (List<?>) scanned.get(1)) {
            Address address = keys.address((byte[]) key);
            if (address != null) {
                found.put(address, (byte[]) key);
            }
        }
        List<Unreadable> unreadable = new ArrayList<>();
        if (dueOnly) {
            Map<Address, byte[]> lines = values(connection, found, true, unreadable);
            found.keySet().removeIf(at -> {
                byte[] line = lines.get(at);
                return line == null || !TRUE.equals(readable(at, unreadable, () -> RowText.isDue(at, line, time)));
            });
        }
        List<Row> rows = new ArrayList<>();
        values(connection, found, false, unreadable).forEach((at, value) -> {
            Row row = readable(at, unreadable, () -> RowText.read(at, value));
            if (row != null) {
                rows.add(row);
            }
        });
        String cursor = new String((byte[]) scanned.get(0), StandardCharsets.US_ASCII);
        return new Batch(rows, time, next(cursor, place), unreadable);
    }

    /** Reads a value; null if it can't be read. */
    private static <T> @Nullable T readable(
            Address at, List<Unreadable> unreadable, Supplier<? extends @Nullable T> read) {
        try {
            return read.get();
        } catch (LedgerUnreadableException e) {
            unreadable.add(new Unreadable(at, String.valueOf(e.getMessage())));
            return null;
        }
    }

    private static @Nullable String next(String cursor, String[] place) {
        boolean over = cursor.equals(START);
        if (over && place.length == 2) {
            return null;
        }
        List<String> masters = List.of(place).subList(over ? 2 : 1, place.length);
        return cursor + " " + String.join(" ", masters);
    }

    /** The values of keys, or their first lines. A key that was deleted or has moved meanwhile is skipped. */
    private Map<Address, byte[]> values(
            Connection connection, Map<Address, byte[]> keys, boolean lines, List<Unreadable> unreadable) {
        keys.values().forEach(key -> {
            if (lines) {
                connection.sendCommand(Command.GETRANGE, key, new byte[] {'0'}, Calls.digits(RowText.LONGEST_LINE));
            } else {
                connection.sendCommand(Command.GET, key);
            }
        });
        List<Object> answers = keys.isEmpty() ? List.of() : connection.getMany(keys.size());
        Map<Address, byte[]> values = new LinkedHashMap<>();
        int i = 0;
        for (Address at : keys.keySet()) {
            Object answer = answers.get(i++);
            if (answer instanceof byte[] value && value.length > 0) {
                values.put(at, value);
            } else if (answer instanceof JedisDataException e && !(e instanceof JedisRedirectionException)) {
                readable(at, unreadable, () -> {
                    throw errors.of(e);
                });
            }
        }
        return values;
    }
}
