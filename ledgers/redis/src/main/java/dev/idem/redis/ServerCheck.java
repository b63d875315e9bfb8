package dev.idem.redis;

import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;

/** Checks the settings of the servers under which entries can get lost: at opening, and eviction again and again. */
final class ServerCheck {
    private static final long LOOK_EVERY = Duration.ofSeconds(1).toNanos();
    private static final String NO_EVICTION = "noeviction";
    private static final byte[] ZERO = {'0'};

    private static final String POLICY = "maxmemory-policy";
    private static final String APPEND_ONLY = "appendonly";
    private static final String SYNC = "appendfsync";
    private static final String ROLE = "role";
    private static final String UNKNOWN = "unknown";

    private final Nodes nodes;
    private final RedisOptions options;
    private final RedisErrors errors;
    private final Map<String, Look> looks = new ConcurrentHashMap<>();

    /** When a server was looked at, its policy, and how many keys it has evicted since it was started. */
    private record Look(long at, String policy, long evicted) {
        Look again() {
            return new Look(System.nanoTime(), policy, evicted);
        }

        boolean isOver() {
            return System.nanoTime() - at >= LOOK_EVERY;
        }
    }

    ServerCheck(Nodes nodes, RedisOptions options, RedisErrors errors) {
        this.nodes = nodes;
        this.options = options;
        this.errors = errors;
    }

    /** The settings in words, if they are safe. */
    String settings() {
        if (options.check() == Check.OFF) {
            nodes.at(nodes.masters().get(0), (connection, asking) -> connection.ping());
            return "settings not checked";
        }
        String worst = "";
        for (String master : nodes.masters()) {
            Map<String, String> settings = nodes.at(master, (connection, asking) -> read(connection));
            judge(master, settings);
            String persistence = persistence(settings);
            // The node with the weakest persistence decides.
            worst = worst.isEmpty() || persistence.contains("off") ? persistence : worst;
        }
        return worst;
    }

    /**
     * Says why the server of a key may have evicted its entry, or nothing. Somebody may set the policy while the ledger
     * is open, or another server may take over: a server that was not looked at for a second is asked.
     */
    Optional<String> eviction(byte[] key) {
        if (options.check() != Check.ON) {
            return Optional.empty();
        }
        String node = nodes.holder(key);
        Look last = looks.get(node);
        // While one thread asks, the others go by the last answer.
        if (last == null || (last.isOver() && looks.replace(node, last, last.again()))) {
            Look look = nodes.holding(key, (connection, asking) -> look(connection, key));
            node = nodes.holder(key);
            tell(node, last, look);
            looks.put(node, look);
            last = look;
        }
        return last.policy.equals(NO_EVICTION) ? Optional.empty() : Optional.of(evicting(node, last.policy));
    }

    private void tell(String node, @Nullable Look last, Look look) {
        if (!look.policy.equals(NO_EVICTION) && (last == null || !last.policy.equals(look.policy))) {
            warn(evicting(node, look.policy) + ". Until then first calls are refused");
        }
        if (last != null && look.evicted > last.evicted) {
            warn("has lost entries: " + node + " has evicted " + (look.evicted - last.evicted)
                    + " keys within the last "
                    + "looks. A call whose entry is gone runs again when it comes again: find out what took effect");
        }
    }

    private static Look look(Connection connection, byte[] key) {
        // The server sends the question on if another one holds the key by now; it would not for CONFIG and INFO.
        connection.sendCommand(Protocol.Command.GETRANGE, key, ZERO, ZERO);
        connection.getOne();
        String evicted = info(connection, "stats", "evicted_keys:");
        return new Look(
                System.nanoTime(),
                Objects.requireNonNullElse(policy(connection), UNKNOWN),
                evicted == null ? 0 : Long.parseLong(evicted));
    }

    private static String evicting(String server, String policy) {
        return policy.equals(UNKNOWN)
                ? "does not tell whether it may evict entries: this user may ask neither CONFIG nor INFO. Make sure that its"
                        + " maxmemory-policy is noeviction, and open it with ?check=off"
                : "may evict entries, and what it has evicted runs again: the maxmemory-policy of " + server + " is "
                        + policy + ". Find out what was evicted, then set it to noeviction; or accept the loss with"
                        + " ?check=warn";
    }

    private void judge(String master, Map<String, String> settings) {
        if (settings.getOrDefault(ROLE, "master").equals("slave")) {
            throw errors.unreadable(
                    "is a replica, which may not yet know what was acknowledged: name its master", null);
        }
        String policy = settings.getOrDefault(POLICY, UNKNOWN);
        if (!policy.equals(NO_EVICTION)) {
            object(evicting(master, policy));
        }
        if (!settings.getOrDefault(APPEND_ONLY, UNKNOWN).equals("yes")) {
            warn("does not append to a file what it acknowledges (appendonly "
                    + settings.getOrDefault(APPEND_ONLY, UNKNOWN) + " on " + master
                    + "): when the server ends, entries are lost, and what is lost runs again");
        }
    }

    private void object(String what) {
        if (options.check() == Check.ON) {
            throw errors.unreadable(what, null);
        }
        warn(what);
    }

    private void warn(String what) {
        System.getLogger("dev.idem").log(Level.WARNING, () -> "ledger " + options + " " + what);
    }

    private static String persistence(Map<String, String> settings) {
        String policy = ", eviction " + settings.getOrDefault(POLICY, UNKNOWN);
        return switch (settings.getOrDefault(APPEND_ONLY, UNKNOWN)) {
            case "yes" -> "append-only file on, synced " + settings.getOrDefault(SYNC, UNKNOWN) + policy;
            case "no" -> "append-only file off" + policy;
            default -> "append-only file unknown" + policy;
        };
    }

    private static Map<String, String> read(Connection connection) {
        Map<String, String> settings = new LinkedHashMap<>();
        put(settings, POLICY, policy(connection));
        for (String name : List.of(APPEND_ONLY, SYNC)) {
            put(settings, name, config(connection, name));
        }
        if (!settings.containsKey(APPEND_ONLY)) {
            String on = info(connection, "persistence", "aof_enabled:");
            put(settings, APPEND_ONLY, on == null ? null : on.equals("1") ? "yes" : "no");
        }
        put(settings, ROLE, info(connection, "replication", "role:"));
        return settings;
    }

    /** Hosted servers often forbid CONFIG, but show most settings through INFO. */
    private static @Nullable String policy(Connection connection) {
        String policy = config(connection, POLICY);
        return policy != null ? policy : info(connection, "memory", "maxmemory_policy:");
    }

    private static void put(Map<String, String> settings, String name, @Nullable String value) {
        if (value != null) {
            settings.put(name, value);
        }
    }

    private static @Nullable String config(Connection connection, String name) {
        try {
            connection.sendCommand(Protocol.Command.CONFIG, "GET", name);
            List<String> pair = connection.getMultiBulkReply();
            return pair.size() == 2 ? pair.get(1) : null;
        } catch (JedisDataException e) {
            return forbidden(e);
        }
    }

    private static @Nullable String info(Connection connection, String section, String field) {
        try {
            connection.sendCommand(Protocol.Command.INFO, section);
            String text = new String((byte[]) connection.getOne(), StandardCharsets.UTF_8);
            for (String line : text.split("\r?\n", -1)) {
                if (line.startsWith(field)) {
                    return line.substring(field.length()).strip();
                }
            }
            return null;
        } catch (JedisDataException e) {
            return forbidden(e);
        }
    }

    /** Null if the command is forbidden; throws any other error. */
    private static @Nullable String forbidden(JedisDataException e) {
        String message = String.valueOf(e.getMessage());
        if (message.contains("NOPERM") || message.contains("unknown command") || message.contains("not allowed")) {
            return null;
        }
        throw e;
    }
}
