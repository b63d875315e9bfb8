package dev.idem.torture.siege;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/** A connection that has one request open at a time. */
final class Wire implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String LENGTH = "content-length:";

    private final Socket socket = new Socket();
    private final InputStream in;

    Wire(int port) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) PATIENCE.toMillis());
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), (int) PATIENCE.toMillis());
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** An answer. */
    record Answer(int status, String body) {}

    /** The bytes of a request; without a body it is a GET. */
    static byte[] request(String path, String token, String body) {
        String header = token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n";
        return ((body.isEmpty() ? "GET " : "POST ") + path + " HTTP/1.1\r\nHost: localhost\r\n" + header
                        + (body.isEmpty()
                                ? ""
                                : "Content-Type: application/json\r\nContent-Length: "
                                        + body.getBytes(StandardCharsets.UTF_8).length + "\r\n")
                        + "\r\n" + body)
                .getBytes(StandardCharsets.UTF_8);
    }

    Answer ask(String path, String token, String body) throws IOException {
        socket.getOutputStream().write(request(path, token, body));
        String status = line();
        int length = 0;
        for (String line = line(); !line.isEmpty(); line = line()) {
            if (line.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
                length = Integer.parseInt(line.substring(LENGTH.length()).strip());
            }
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new IOException("closed within an answer");
        }
        return new Answer(Integer.parseInt(status.split(" ", -1)[1]), new String(bytes, StandardCharsets.UTF_8));
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("closed before an answer");
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.UTF_8).strip();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
