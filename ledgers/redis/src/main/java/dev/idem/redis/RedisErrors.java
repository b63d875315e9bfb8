package dev.idem.redis;

import dev.idem.LedgerException;
import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/** Turns errors of the server into exceptions whose message says what to do. */
final class RedisErrors {
    private final String ledger;
    private final boolean cluster;

    RedisErrors(RedisOptions options) {
        this.cluster = options.cluster();
        this.ledger = "ledger " + options;
    }

    /** The exception for a step without an answer or a refused step. */
    LedgerException of(JedisException e) {
        JedisException reported = cause(e);
        String message = String.valueOf(reported.getMessage());
        if (reported instanceof JedisAccessControlException || message.contains("invalid password")) {
            return unreadable(refusal(message), e);
        } else if (reported instanceof JedisRedirectionException) {
            return redirected(message, e);
        } else if (e.getCause() instanceof NoSuchElementException) {
            return unavailable(
                    "had no free connection in time. Nothing was sent; ask again, or allow more with ?connections=", e);
        } else if (reported instanceof JedisConnectionException || !(reported instanceof JedisDataException)) {
            return unavailable(
                    "gave no answer (" + message + "). Whether the last step was taken is not known: ask again", e);
        }
        return refused(message, e);
    }

    private LedgerException redirected(String message, JedisException e) {
        return cluster
                ? unavailable("sends the key from node to node (" + message + "). Nothing was written; ask again", e)
                : unreadable("is one node of a Redis Cluster: add ?cluster=on to the URL", e);
    }

    private LedgerException refused(String message, JedisException e) {
        // The error of a script is in the middle of the server's message.
        if (message.contains("OOM command not allowed")) {
            return unavailable(
                    "is full: the server has reached its maxmemory. Nothing was written; give it more memory, or "
                            + "let entries expire. What is stored can still be read",
                    e);
        } else if (message.contains("READONLY")) {
            return unavailable("is a read-only replica. Nothing was written; name its master in the URL", e);
        } else if (message.contains("MISCONF")) {
            return unavailable("can't save to its disk and takes no writes. Nothing was written; look at its log", e);
        } else if (message.contains("NOREPLICAS")) {
            return unavailable("has fewer replicas than its min-replicas-to-write. Nothing was written", e);
        } else if (message.contains("NOPERM")) {
            return unreadable(refusal(message), e);
        } else if (message.contains("WRONGTYPE")) {
            return unreadable(
                    "has a key of the entry's name that holds something else. Nothing was changed; choose another "
                            + "?prefix=",
                    e);
        } else if (message.contains("DB index is out of range") || message.contains("invalid DB index")) {
            return unreadable("has no database of that number: name another one, or raise 'databases'", e);
        }
        // LOADING, CLUSTERDOWN, MASTERDOWN, TRYAGAIN, BUSY …
        return unavailable("refused the step (" + message + "). Try again", e);
    }

    private static String refusal(String message) {
        if (message.contains("NOPERM")) {
            return "does not let this user do its work (" + message
                    + "). Allow it EVAL, EVALSHA, SCAN, the commands of "
                    + "the scripts, and the keys and channels that begin with the prefix";
        }
        return message.contains("NOAUTH")
                ? "wants a password: put it into the URL, redis://user:password@host"
                : "does not know this user and password (" + message + ")";
    }

    /** The cause of a failed connection, which the driver has wrapped. */
    private static JedisException cause(JedisException e) {
        Throwable cause = e;
        while (cause != null) {
            if (cause instanceof JedisDataException reported) {
                return reported;
            }
            cause = cause.getCause();
        }
        return e;
    }

    LedgerUnavailableException unavailable(String what, @Nullable Throwable cause) {
        return new LedgerUnavailableException(ledger + " " + what, cause);
    }

    LedgerUnreadableException unreadable(String what, @Nullable Throwable cause) {
        return new LedgerUnreadableException(ledger + " " + what, cause);
    }
}
