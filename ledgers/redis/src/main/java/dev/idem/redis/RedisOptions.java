package dev.idem.redis;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;

/**
 * How a Redis ledger is set.
 *
 * @param tls whether to speak TLS
 * @param hosts the server; of a cluster, any of its nodes
 * @param cluster whether the hosts are nodes of a Redis Cluster
 * @param user the ACL user; null for the default one
 * @param password null for none
 * @param database the number of the database; a cluster has only 0
 * @param prefix what the name of every key begins with
 * @param timeout how long to wait for a connection and for an answer
 * @param connections how many connections there are at most, to each node
 * @param check what to make of settings under which entries can get lost
 * @param replicas how many replicas have to acknowledge a grant or a settle
 * @param stub how long a fence outlives its entry
 * @param authority a file with the certificates to trust; null for those the Java runtime trusts
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
        return new RedisOptions(
                tls,
                hosts,
                isCluster,
                user,
                password,
                database,
                prefix,
                timeout,
                connections,
                check,
                replicas,
                stub,
                authority);
    }

    RedisOptions withLogin(@Nullable String name, @Nullable String secret) {
        return new RedisOptions(
                tls,
                hosts,
                cluster,
                name,
                secret,
                database,
                prefix,
                timeout,
                connections,
                check,
                replicas,
                stub,
                authority);
    }

    RedisOptions withDatabase(int number) {
        return new RedisOptions(
                tls,
                hosts,
                cluster,
                user,
                password,
                number,
                prefix,
                timeout,
                connections,
                check,
                replicas,
                stub,
                authority);
    }

    RedisOptions withPrefix(String beginning) {
        return new RedisOptions(
                tls,
                hosts,
                cluster,
                user,
                password,
                database,
                beginning,
                timeout,
                connections,
                check,
                replicas,
                stub,
                authority);
    }

    RedisOptions withTimeout(Duration duration) {
        return new RedisOptions(
                tls,
                hosts,
                cluster,
                user,
                password,
                database,
                prefix,
                duration,
                connections,
                check,
                replicas,
                stub,
                authority);
    }

    RedisOptions withConnections(int most) {
        return new RedisOptions(
                tls, hosts, cluster, user, password, database, prefix, timeout, most, check, replicas, stub, authority);
    }

    RedisOptions withCheck(Check how) {
        return new RedisOptions(
                tls,
                hosts,
                cluster,
                user,
                password,
                database,
                prefix,
                timeout,
                connections,
                how,
                replicas,
                stub,
                authority);
    }

    RedisOptions withReplicas(int least) {
        return new RedisOptions(
                tls,
                hosts,
                cluster,
                user,
                password,
                database,
                prefix,
                timeout,
                connections,
                check,
                least,
                stub,
                authority);
    }

    RedisOptions withStub(Duration duration) {
        return new RedisOptions(
                tls,
                hosts,
                cluster,
                user,
                password,
                database,
                prefix,
                timeout,
                connections,
                check,
                replicas,
                duration,
                authority);
    }

    RedisOptions withAuthority(@Nullable Path file) {
        return new RedisOptions(
                tls,
                hosts,
                cluster,
                user,
                password,
                database,
                prefix,
                timeout,
                connections,
                check,
                replicas,
                stub,
                file);
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
