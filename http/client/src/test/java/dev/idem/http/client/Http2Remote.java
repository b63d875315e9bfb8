package dev.idem.http.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A real server that answers every request over HTTP/2, without TLS, with status 200, a body, and whatever length it
 * announces for it. It ends each answer in order: only the announced length can be wrong.
 */
final class Http2Remote implements AutoCloseable {
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int END_STREAM = 1;
    private static final int ACK = 1;
    private static final int END_HEADERS = 4;
    private static final int PREFACE = 24;

    final AtomicInteger requests = new AtomicInteger();
    private final ServerSocket server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    private final String announced;
    private final byte[] body;

    Http2Remote(int announced, String body) throws IOException {
        this.announced = Integer.toString(announced);
        this.body = body.getBytes(StandardCharsets.UTF_8);
        Thread thread = new Thread(this::accept);
        thread.setDaemon(true);
        thread.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort() + "/charges");
    }

    private void accept() {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                serve(socket.getInputStream(), socket.getOutputStream());
            } catch (IOException e) {
                // The client or the test has closed the connection.
            }
        }
    }

    private void serve(InputStream in, OutputStream out) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            head.write(in.read());
        }
        String text = head.toString(StandardCharsets.ISO_8859_1);
        in.readNBytes(Integer.parseInt(text.replaceAll("(?is).*content-length: (\\d+).*", "$1")));
        requests.incrementAndGet();
        out.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
                .getBytes(StandardCharsets.ISO_8859_1));
        frame(out, SETTINGS, 0, 0, new byte[0]);
        in.readNBytes(PREFACE);
        frame(out, SETTINGS, ACK, 0, new byte[0]);
        ByteArrayOutputStream headers = new ByteArrayOutputStream();
        headers.write(0x88); // :status 200, from the static table
        headers.write(0x0f); // a literal with the name number 28 of the static table: content-length
        headers.write(0x0d);
        headers.write(announced.length());
        headers.writeBytes(announced.getBytes(StandardCharsets.US_ASCII));
        frame(out, HEADERS, END_HEADERS, 1, headers.toByteArray());
        frame(out, DATA, END_STREAM, 1, body);
        while (in.read() >= 0) {
            // until the client leaves
        }
    }

    private static void frame(OutputStream out, int type, int flags, int stream, byte[] payload) throws IOException {
        out.write(new byte[] {0, 0, (byte) payload.length, (byte) type, (byte) flags, 0, 0, 0, (byte) stream});
        out.write(payload);
        out.flush();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
