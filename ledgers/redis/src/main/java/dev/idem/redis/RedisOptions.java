package dev.idem.redis;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;

/**
 * The settings of a Redis ledger.
 *
 * @param tls whether to speak TLS
 * @param hosts the server; of a cluster, any of its nodes
 * @param cluster whether the hosts are nodes of a Redis Cluster
 * @param user the ACL user; null for the default one
 * @param password null for none
 * @param database the number of the database; a cluster has only 0
 * @param prefix of the names of all keys
 * @param timeout how long to wait for a connection and for an answer
 * @param connections the maximum number of connections to each node
 * @param check how to treat settings under which entries can get lost
 * @param replicas how many replicas must acknowledge a grant or a settle
 * @param stub how long the fence is kept after the entry
 * @param authority a file with the certificates to trust; null for those of the Java runtime
 */
record RedisOptions(
        boolean tls,
        List<HostAndPort> hosts,
        boolean cluster,
        @Nullable String user,
        @Nullable String password,
        int database,
        String prefix,
        Duration timeout,
        int connections,
        Check check,
        int replicas,
        Duration stub,
        @Nullable Path authority) {
    static final String PLAIN = "redis";
    static final String TLS = "rediss";
    static final String PREFIX = "idem:";

    RedisOptions {
        hosts = List.copyOf(hosts);
    }

    static RedisOptions at(boolean tls, List<HostAndPort> hosts) {
        return new RedisOptions(
                tls,
                hosts,
                hosts.size() > 1,
                null,
                null,
                0,
                PREFIX,
                Duration.ofSeconds(2),
                64,
                Check.ON,
                0,
                Duration.ofHours(1),
                null);
    }

    RedisOptions withCluster(boolean isCluster) {
        return with(draft -> draft.cluster = isCluster);
    }

    RedisOptions withLogin(@Nullable String name, @Nullable String secret) {
        return with(draft -> {
            draft.user = name;
            draft.password = secret;
        });
    }

    RedisOptions withDatabase(int number) {
        return with(draft -> draft.database = number);
    }

    RedisOptions withPrefix(String beginning) {
        return with(draft -> draft.prefix = beginning);
    }

    RedisOptions withTimeout(Duration duration) {
        return with(draft -> draft.timeout = duration);
    }

    RedisOptions withConnections(int most) {
        return with(draft -> draft.connections = most);
    }

    RedisOptions withCheck(Check how) {
        return with(draft -> draft.check = how);
    }

    RedisOptions withReplicas(int least) {
        return with(draft -> draft.replicas = least);
    }

    RedisOptions withStub(Duration duration) {
        return with(draft -> draft.stub = duration);
    }

    RedisOptions withAuthority(@Nullable Path file) {
        return with(draft -> draft.authority = file);
    }

    private RedisOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return new RedisOptions(
                tls,
                hosts,
                draft.cluster,
                draft.user,
                draft.password,
                draft.database,
                draft.prefix,
                draft.timeout,
                draft.connections,
                draft.check,
                draft.replicas,
                draft.stub,
                draft.authority);
    }

    /** The options while they are read. */
    private static final class Draft {
        private boolean cluster;
        private @Nullable String user;
        private @Nullable String password;
        private int database;
        private String prefix;
        private Duration timeout;
        private int connections;
        private Check check;
        private int replicas;
        private Duration stub;
        private @Nullable Path authority;

        private Draft(RedisOptions from) {
            cluster = from.cluster;
            user = from.user;
            password = from.password;
            database = from.database;
            prefix = from.prefix;
            timeout = from.timeout;
            connections = from.connections;
            check = from.check;
            replicas = from.replicas;
            stub = from.stub;
            authority = from.authority;
        }
    }

    /** The URL without its secrets. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(tls ? TLS : PLAIN).append("://");
        if (user != null || password != null) {
            text.append("***@");
        }
        for (int i = 0; i < hosts.size(); i++) {
            text.append(i == 0 ? "" : ",").append(hosts.get(i));
        }
        return text.append('/')
                .append(cluster ? "" : Integer.toString(database))
                .toString();
    }
}
