package dev.idem.redis;

import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;

/** Checks at opening the settings of the servers under which entries can get lost. */
final class ServerCheck {
    private static final String POLICY = "maxmemory-policy";
    private static final String APPEND_ONLY = "appendonly";
    private static final String SYNC = "appendfsync";
    private static final String ROLE = "role";
    private static final String UNKNOWN = "unknown";

    private final Nodes nodes;
    private final RedisOptions options;
    private final RedisErrors errors;

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

    private void judge(String master, Map<String, String> settings) {
        if (settings.getOrDefault(ROLE, "master").equals("slave")) {
            throw errors.unreadable(
                    "is a replica, which may not yet know what was acknowledged: name its master", null);
        }
        String policy = settings.getOrDefault(POLICY, UNKNOWN);
        if (policy.equals(UNKNOWN)) {
            object("does not tell whether it may evict entries: this user may ask neither CONFIG nor INFO. Make sure "
                    + "that its maxmemory-policy is noeviction, and open it with ?check=off");
        } else if (!policy.equals("noeviction")) {
            object("may evict entries, and what it has evicted runs again: the maxmemory-policy of " + master + " is "
                    + policy + ". Set it to noeviction, or accept the loss with ?check=warn");
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
        for (String name : List.of(POLICY, APPEND_ONLY, SYNC)) {
            String value = config(connection, name);
            if (value != null) {
                settings.put(name, value);
            }
        }
        // Hosted servers often forbid CONFIG, but show most settings through INFO.
        if (!settings.containsKey(POLICY)) {
            put(settings, POLICY, info(connection, "memory", "maxmemory_policy:"));
        }
        if (!settings.containsKey(APPEND_ONLY)) {
            String on = info(connection, "persistence", "aof_enabled:");
            put(settings, APPEND_ONLY, on == null ? null : on.equals("1") ? "yes" : "no");
        }
        put(settings, ROLE, info(connection, "replication", "role:"));
        return settings;
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
