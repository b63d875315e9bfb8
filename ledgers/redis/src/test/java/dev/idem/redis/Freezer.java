package dev.idem.redis;

import dev.idem.testkit.Until;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisSocketFactory;

/** Makes connections to a server that can be frozen: nobody hears anything any more, and nobody is told. */
final class Freezer implements JedisSocketFactory, AutoCloseable {
    private final HostAndPort server;
    private final List<Line> lines = new CopyOnWriteArrayList<>();

    Freezer(HostAndPort server) {
        this.server = server;
    }

    @Override
    public Socket createSocket() {
        try {
            Line line = new Line(server);
            lines.add(line);
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Drops all bytes on the open connections from now on, in both directions. */
    void freeze() {
        lines.forEach(line -> line.frozen = true);
    }

    /** The same, and all buffers are full: who writes waits until the line is closed. */
    void jam() {
        freeze();
        lines.forEach(line -> line.jammed = true);
    }

    /** How many wait to write. */
    int stuck() {
        return lines.stream().mapToInt(line -> line.stuck).sum();
    }

    int made() {
        return lines.size();
    }

    @Override
    public void close() throws IOException {
        for (Line line : lines) {
            line.close();
        }
    }

    private static final class Line extends Socket {
        private volatile boolean frozen;
        private volatile boolean jammed;
        private volatile int stuck;

        Line(HostAndPort server) throws IOException {
            super(server.getHost(), server.getPort());
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read(byte[] bytes, int from, int length) throws IOException {
                    int read = super.read(bytes, from, length);
                    while (frozen && read >= 0) {
                        read = super.read(bytes, from, length);
                    }
                    return read;
                }
            };
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            return new FilterOutputStream(super.getOutputStream()) {
                @Override
                public void write(byte[] bytes, int from, int length) throws IOException {
                    if (jammed) {
                        awaitClosing();
                    } else if (!frozen) {
                        out.write(bytes, from, length);
                    }
                }
            };
        }

        private void awaitClosing() throws SocketException {
            stuck = 1;
            Until.isTrue("somebody closes the line", this::isClosed);
            throw new SocketException("closed while writing");
        }
    }
}
