package dev.idem.redis;

import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/** Runs scripts on the server that holds a key, and waits for replicas if requested. */
final class Calls {
    private static final byte[] ONE = {'1'};
    private static final byte[] NO_KEY = {'0'};

    private final Nodes nodes;
    private final RedisErrors errors;
    private final ServerClock clock;
    private final int replicas;
    private final byte[][] wait;

    Calls(Nodes nodes, RedisOptions options, RedisErrors errors, ServerClock clock) {
        this.nodes = nodes;
        this.errors = errors;
        this.clock = clock;
        this.replicas = options.replicas();
        // Shorter than the time-out of an answer, to distinguish too few acknowledgements from no answer.
        this.wait = new byte[][] {
            digits(replicas), digits(Math.max(1, options.timeout().toMillis() / 2))
        };
    }

    /** Runs one step without waiting for replicas. */
    Object run(Script script, byte[] key, byte[]... arguments) {
        return run(script, key, null, arguments);
    }

    /** Runs one step. If {@code changed} reports a change, waits until enough replicas have it. */
    Object runReplicated(Script script, Predicate<Object> changed, byte[] key, byte[]... arguments) {
        return run(script, key, replicas == 0 ? null : changed, arguments);
    }

    private Object run(Script script, byte[] key, @Nullable Predicate<Object> changed, byte[]... arguments) {
        byte[][] command = command(ONE, key, arguments);
        try {
            return nodes.holding(key, (connection, asking) -> {
                Object answer = evaluate(connection, asking, script, command);
                if (changed != null && changed.test(answer)) {
                    awaitReplicas(connection);
                }
                return answer;
            });
        } catch (JedisException e) {
            throw errors.of(e);
        }
    }

    /** The time of one server. */
    byte[] now(Connection connection, Script now) {
        return (byte[]) evaluate(connection, false, now, command(NO_KEY, null));
    }

    private byte[][] command(byte[] keys, byte @Nullable [] key, byte[]... arguments) {
        int named = key == null ? 2 : 3;
        int extra = clock.argument() == null ? 0 : 1;
        byte[][] command = new byte[named + arguments.length + extra][];
        command[1] = keys;
        if (key != null) {
            command[2] = key;
        }
        System.arraycopy(arguments, 0, command, named, arguments.length);
        if (clock.argument() != null) {
            command[command.length - 1] = clock.argument().get();
        }
        return command;
    }

    static byte[] digits(long number) {
        return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }

    private static Object evaluate(Connection connection, boolean asking, Script script, byte[][] command) {
        command[0] = script.sha();
        try {
            return send(connection, asking, Protocol.Command.EVALSHA, command);
        } catch (JedisNoScriptException e) {
            // The server was restarted, or has replaced another one.
            command[0] = script.text();
            return send(connection, asking, Protocol.Command.EVAL, command);
        }
    }

    private static Object send(Connection connection, boolean asking, Protocol.Command name, byte[][] command) {
        if (asking) {
            connection.executeCommand(Protocol.Command.ASKING);
        }
        connection.sendCommand(name, command);
        return connection.getOne();
    }

    /** Must use the connection that wrote: acknowledgements are counted for the writes of one connection. */
    private void awaitReplicas(Connection connection) {
        connection.sendCommand(Protocol.Command.WAIT, wait);
        long acknowledged = (Long) connection.getOne();
        if (acknowledged < replicas) {
            throw errors.unavailable(
                    "wrote the step, but " + acknowledged + " instead of " + replicas
                            + " replicas have acknowledged it within " + new String(wait[1], StandardCharsets.US_ASCII)
                            + " ms: it may get lost. Ask again",
                    null);
        }
    }
}
