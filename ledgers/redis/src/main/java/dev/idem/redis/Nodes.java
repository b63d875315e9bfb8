package dev.idem.redis;

import java.util.List;
import redis.clients.jedis.Connection;

/** The servers that hold the entries. Only masters are asked: a replica may not yet know what was acknowledged. */
interface Nodes extends AutoCloseable {
    /** What is done with a connection. */
    interface Work<T> {
        /**
         * Sends commands and takes the answers.
         *
         * @param asking whether each command has to be announced with ASKING, since the key is just moving
         */
        T with(Connection connection, boolean asking);
    }

    /** Works with the server that holds a key. */
    <T> T holding(byte[] key, Work<T> work);

    /** The name of the server that a key is looked for on first. */
    String holder(byte[] key);

    /** The names of all masters. */
    List<String> masters();

    /** Works with one master. */
    <T> T at(String master, Work<T> work);

    /** A connection to any of them, to be closed by whoever asked for it. */
    Connection apart();

    @Override
    void close();
}
