package dev.idem.redis;

import java.util.List;
import redis.clients.jedis.Connection;

/** The servers that hold the entries. Only masters are asked: a replica may lack acknowledged writes. */
interface Nodes extends AutoCloseable {
    /** Work on a connection. */
    interface Work<T> {
        /**
         * Sends commands and reads the answers.
         *
         * @param asking whether each command must be preceded by ASKING, because the key is moving
         */
        T with(Connection connection, boolean asking);
    }

    /** Works with the server that holds a key. */
    <T> T holding(byte[] key, Work<T> work);

    /** The name of the server that is asked first for a key. */
    String holder(byte[] key);

    /** The names of all masters. */
    List<String> masters();

    /** Works with one master. */
    <T> T at(String master, Work<T> work);

    /** A separate connection to any of them. The caller closes it. */
    Connection apart();

    @Override
    void close();
}
