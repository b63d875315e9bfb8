package dev.idem.redis;

import dev.idem.entry.Address;
import dev.idem.entry.Moment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol;

/**
 * Walks over all entries, a few hundred at a time, so that no single command keeps a server from its other work. What
 * is there from the beginning to the end of a walk is met at least once, and may be met twice.
 */
final class Scan {
    private static final byte[] START = {'0'};
    private static final byte[] MATCH = "MATCH".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] COUNT = "COUNT".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] BATCH = "500".getBytes(StandardCharsets.US_ASCII);

    private final Nodes nodes;
    private final Keys keys;
    private final Calls calls;
    private final Script now;

    Scan(Nodes nodes, Keys keys, Calls calls, Script now) {
        this.nodes = nodes;
        this.keys = keys;
        this.calls = calls;
        this.now = now;
    }

    /** A place in the walk: a master of those there were when it began, and its cursor. */
    record Place(List<String> masters, int master, String cursor) {
        boolean isEnd() {
            return master == masters.size();
        }
    }

    /** A key, the entry's address and the value, or its beginning. */
    @SuppressWarnings("ArrayRecordComponent") // passed on, never compared
    record Item(byte[] key, Address address, byte[] value) {}

    /** Some entries, the server's time when it gave them, and where to go on. */
    record Batch(List<Item> items, Moment now, Place next) {}

    Place start() {
        return new Place(nodes.masters(), 0, "0");
    }

    /** The next entries, whole. */
    Batch entries(Place from) {
        return batch(from, Protocol.Command.GET);
    }

    /** The next entries, as far as scripts read them. */
    Batch heads(Place from) {
        return batch(from, Protocol.Command.GETRANGE, START, Digits.plain(Layout.LEASED - 1L));
    }

    private Batch batch(Place from, Protocol.Command get, byte[]... range) {
        return nodes.at(from.masters().get(from.master()), (connection, asking) -> {
            connection.sendCommand(
                    Protocol.Command.SCAN,
                    from.cursor().getBytes(StandardCharsets.US_ASCII),
                    MATCH,
                    keys.pattern(),
                    COUNT,
                    BATCH);
            List<Object> scanned = connection.getObjectMultiBulkReply();
            String cursor = new String((byte[]) scanned.get(0), StandardCharsets.US_ASCII);
            Place next = cursor.equals("0")
                    ? new Place(from.masters(), from.master() + 1, "0")
                    : new Place(from.masters(), from.master(), cursor);
            List<Item> items = items(connection, (List<?>) scanned.get(1), get, range);
            byte[] time = calls.now(connection, now);
            return new Batch(items, Moment.ofWall(Digits.instant(Digits.read(time, 0, Digits.TIME))), next);
        });
    }

    private List<Item> items(Connection connection, List<?> scanned, Protocol.Command get, byte[][] range) {
        List<byte[]> found = new ArrayList<>();
        List<Address> addresses = new ArrayList<>();
        for (Object each : scanned) {
            byte[] key = (byte[]) each;
            Address address = keys.address(key);
            if (address != null) {
                found.add(key);
                addresses.add(address);
                connection.sendCommand(get, Arguments.join(new byte[][] {key}, range));
            }
        }
        List<Object> values = found.isEmpty() ? List.of() : connection.getMany(found.size());
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            // Gone meanwhile, or moved to another node: an error that is told to whoever asks for the entry itself.
            if (values.get(i) instanceof byte[] value && value.length > 0) {
                items.add(new Item(found.get(i), addresses.get(i), value));
            }
        }
        return items;
    }
}
