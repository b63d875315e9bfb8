package dev.idem.redis;

import dev.idem.internal.ledger.UrlOption;
import dev.idem.spi.LedgerUrl;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.HostAndPort;

/** Reads {@code redis://user:password@host:port/database?option=value}, of a cluster with several hosts. */
final class RedisUrl {
    private static final int PORT = 6379;
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Pattern HOST = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^:\\[\\]]+)(?::(\\d{1,5}))?");
    private static final String OPTIONS =
            "cluster=on|off, prefix=idem:, timeout=2s, connections=64, check=on|warn|off, "
                    + "wait=0, stub=1h and ca=file.pem";

    private RedisUrl() {}

    static RedisOptions parse(LedgerUrl url) {
        if (!url.rest().startsWith("//")) {
            throw new IllegalArgumentException(
                    url.scheme() + ": needs a host, for instance " + url.scheme() + "://localhost:6379/0");
        }
        String rest = url.rest().substring(2);
        int slash = rest.indexOf('/');
        String authority = slash < 0 ? rest : rest.substring(0, slash);
        int at = authority.lastIndexOf('@');
        RedisOptions options = RedisOptions.at(
                        RedisOptions.TLS.equals(url.scheme()), hosts(url, authority.substring(at + 1)))
                .withDatabase(database(url, slash < 0 ? "" : rest.substring(slash + 1)));
        if (at >= 0) {
            options = login(options, authority.substring(0, at));
        }
        for (Map.Entry<String, String> option : url.options().entrySet()) {
            options = with(options, option.getKey(), option.getValue());
        }
        if (options.cluster() && options.database() != 0) {
            throw new IllegalArgumentException("a Redis Cluster has only database 0, not " + options.database());
        }
        return options;
    }

    private static RedisOptions with(RedisOptions options, String name, String value) {
        UrlOption given = new UrlOption(name, value);
        return switch (name) {
            case "cluster" -> options.withCluster(given.onOrOff());
            case "prefix" -> options.withPrefix(prefix(value));
            case "timeout" -> options.withTimeout(given.duration(SHORTEST, Duration.ofMinutes(10)));
            case "connections" -> options.withConnections(given.count(1, 10_000));
            case "check" -> options.withCheck(check(value));
            case "wait" -> options.withReplicas(given.count(0, 100));
            case "stub" -> options.withStub(given.duration(SHORTEST, Duration.ofDays(3650)));
            case "ca" -> options.withAuthority(Path.of(value));
            default -> throw new IllegalArgumentException("redis: has no option '" + name + "'; it has " + OPTIONS);
        };
    }

    private static List<HostAndPort> hosts(LedgerUrl url, String text) {
        List<HostAndPort> hosts = new ArrayList<>();
        for (String one : text.split(",", -1)) {
            Matcher matcher = HOST.matcher(one);
            if (!matcher.matches()) {
                throw malformed(url, "names no host of a Redis server");
            }
            String port = matcher.group(2);
            String host = matcher.group(1);
            hosts.add(new HostAndPort(
                    host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
                    port == null ? PORT : new UrlOption("port", port).count(1, 65_535)));
        }
        return hosts;
    }

    private static RedisOptions login(RedisOptions options, String userInfo) {
        int colon = userInfo.indexOf(':');
        String user = colon < 0 ? "" : LedgerUrl.unescaped(userInfo.substring(0, colon));
        String password = LedgerUrl.unescaped(userInfo.substring(colon + 1));
        return options.withLogin(user.isEmpty() ? null : user, password.isEmpty() ? null : password);
    }

    /** Does not quote the text, which may contain the password. */
    private static IllegalArgumentException malformed(LedgerUrl url, String why) {
        return new IllegalArgumentException("'" + url + "' " + why + "; write " + url.scheme()
                + "://user:password@host:6379/0, and what is special in a user's name or password as %-escapes");
    }

    private static int database(LedgerUrl url, String path) {
        if (!path.matches("\\d{0,7}")) {
            throw malformed(url, "names no database by its number");
        }
        return path.isEmpty() ? 0 : new UrlOption("database", path).count(0, 1_000_000);
    }

    private static String prefix(String value) {
        if (value.isEmpty() || value.length() > 100 || !value.chars().allMatch(c -> c > 0x20 && c < 0x7F)) {
            throw new IllegalArgumentException("prefix=" + value + " is not 1 to 100 visible ASCII characters");
        }
        return value;
    }

    private static Check check(String value) {
        return switch (value) {
            case "on" -> Check.ON;
            case "warn" -> Check.WARN;
            case "off" -> Check.OFF;
            default -> throw new IllegalArgumentException("check=" + value + " is neither on nor warn nor off");
        };
    }
}
