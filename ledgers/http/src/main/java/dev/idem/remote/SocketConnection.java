package dev.idem.remote;

import dev.idem.remote.Transport.Reply;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A connection to a unix socket that speaks HTTP/1.1, for one request at a time. */
final class SocketConnection implements AutoCloseable {
    private static final int LONGEST_LINE = 16 * 1024;
    private static final int OK = 200;

    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;
    private final ByteBuffer in = ByteBuffer.allocate(16 * 1024).flip();
    private Duration timeout = Duration.ZERO;
    private long end;
    private boolean reusable = true;
    private boolean interrupted;

    private SocketConnection(SocketChannel channel, Selector selector) throws IOException {
        this.channel = channel;
        this.selector = selector;
        this.key = channel.register(selector, SelectionKey.OP_READ);
    }

    /** Throws {@link ConnectException} if no server listens there. */
    static SocketConnection open(Path path) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.configureBlocking(false);
            if (!channel.connect(UnixDomainSocketAddress.of(path))) {
                throw new ConnectException("too many connections wait for the server");
            }
            return new SocketConnection(channel, Selector.open());
        } catch (IOException e) {
            channel.close();
            throw (IOException) new ConnectException(e.getMessage()).initCause(e);
        }
    }

    /** Whether the server has neither closed it nor said anything that was not asked. */
    boolean isQuiet() {
        try {
            return !in.hasRemaining() && channel.read(in.compact()) == 0;
        } catch (IOException e) {
            return false;
        } finally {
            in.flip();
        }
    }

    /** Whether another request can follow. */
    boolean isReusable() {
        return reusable;
    }

    Reply post(String method, byte[] body, Duration atMost) throws IOException {
        timeout = atMost;
        end = System.nanoTime() + atMost.toNanos();
        try {
            return exchange(method, body);
        } finally {
            if (interrupted) {
                interrupted = false;
                Thread.currentThread().interrupt();
            }
        }
    }

    private Reply exchange(String method, byte[] body) throws IOException {
        String head = "POST /v1/" + method + " HTTP/1.1\r\nHost: idem\r\nContent-Type: application/json\r\n"
                + "Content-Length: " + body.length + "\r\n\r\n";
        write(ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII)));
        write(ByteBuffer.wrap(body));
        int status = status(line());
        Map<String, String> headers = headers();
        while (status < OK) {
            status = status(line());
            headers = headers();
        }
        byte[] answer = body(headers);
        reusable = reusable && !"close".equalsIgnoreCase(headers.get("connection")) && !in.hasRemaining();
        return new Reply(status, answer);
    }

    private static int status(String line) throws IOException {
        if (!line.matches("HTTP/1\\.[01] [1-5][0-9]{2}.*")) {
            throw new IOException("the answer is not HTTP");
        }
        return Integer.parseInt(line.substring(9, 12));
    }

    private Map<String, String> headers() throws IOException {
        Map<String, String> headers = new HashMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            if (colon < 1) {
                throw new IOException("the answer has a malformed header");
            }
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        return headers;
    }

    private byte[] body(Map<String, String> headers) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
            for (long size = size(line(), 16); size > 0; size = size(line(), 16)) {
                read(size, body);
                line();
            }
            headers();
        } else {
            @Nullable String length = headers.get("content-length");
            if (length == null) {
                throw new IOException("the answer does not say how long it is");
            }
            read(size(length, 10), body);
        }
        return body.toByteArray();
    }

    private static long size(String text, int radix) throws IOException {
        try {
            return Long.parseUnsignedLong(text.split(";", 2)[0].strip(), radix) & Long.MAX_VALUE;
        } catch (NumberFormatException e) {
            throw new IOException("the answer has a malformed length", e);
        }
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            fill();
            byte next = in.get();
            if (next == '\n') {
                return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
            } else if (line.size() == LONGEST_LINE) {
                throw new IOException("the answer has a line without an end");
            }
            line.write(next);
        }
    }

    private void read(long size, ByteArrayOutputStream to) throws IOException {
        for (long left = size; left > 0; ) {
            fill();
            int part = (int) Math.min(left, in.remaining());
            to.write(in.array(), in.position(), part);
            in.position(in.position() + part);
            left -= part;
        }
    }

    private void fill() throws IOException {
        while (!in.hasRemaining()) {
            int read = channel.read(in.clear());
            in.flip();
            if (read < 0) {
                throw new EOFException("the server has closed the connection");
            } else if (read == 0) {
                await(SelectionKey.OP_READ);
            }
        }
    }

    private void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            if (channel.write(bytes) == 0) {
                await(SelectionKey.OP_WRITE);
            }
        }
    }

    private void await(int operation) throws IOException {
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (left <= 0) {
            throw new SocketTimeoutException("no answer within " + timeout.toMillis() + " ms");
        }
        key.interestOps(operation);
        // With an interrupt pending, it would return at once, again and again.
        interrupted |= Thread.interrupted();
        selector.select(left);
        selector.selectedKeys().clear();
    }

    @Override
    public void close() {
        try (channel;
                selector) {
            key.cancel();
        } catch (IOException e) {
            // It is gone all the same.
        }
    }
}
