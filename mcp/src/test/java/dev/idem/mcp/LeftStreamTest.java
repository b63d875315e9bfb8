package dev.idem.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * A host leaves a stream on which the server is silent. The guard held the server's end open for ever. The HTTP
 * server of JDK 25 keeps the head of a response until the first event, so that the host did not even learn that its stream
 * was open.
 */
class LeftStreamTest {
    private static final String GET =
            "GET /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: s-1\r\nAccept: text/event-stream\r\n\r\n";

    @Test
    void theHeadOfAStreamComesBeforeItsFirstEvent() throws Exception {
        closesTheServersEnd(Duration.ofMinutes(5), (host, again, proxy) -> proxy.close());
    }

    @Test
    void theServersEndIsClosedWhenTheHostHasLeft() throws Exception {
        closesTheServersEnd(Duration.ofMillis(20), (host, again, proxy) -> host.close());
    }

    /** Many servers allow one stream for each session, and would refuse the new one. */
    @Test
    void theServersEndIsClosedWhenTheHostComesBack() throws Exception {
        closesTheServersEnd(Duration.ofMinutes(5), (host, again, proxy) -> {
            host.close();
            send(again, GET);
        });
    }

    @Test
    void theServersEndIsClosedWhenTheGuardEnds() throws Exception {
        closesTheServersEnd(Duration.ofMinutes(5), (host, again, proxy) -> proxy.end(Duration.ZERO));
    }

    /** An event while the server is silent. */
    private interface Event {
        void happens(Socket host, Socket again, HttpProxy proxy) throws IOException;
    }

    private static void closesTheServersEnd(Duration ping, Event event) throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket server = new ServerSocket(0, 10, loopback);
                Idem idem = Idem.builder().ledger("memory:").quiet().open();
                HttpProxy proxy = new HttpProxy(
                        idem,
                        McpOptions.of("silent"),
                        URI.create("http://127.0.0.1:" + server.getLocalPort() + "/mcp"),
                        HttpUsers.guessed(),
                        Duration.ofSeconds(20),
                        ping)) {
            URI guard = proxy.start("127.0.0.1", 0);
            try (Socket host = new Socket(loopback, guard.getPort());
                    Socket again = new Socket(loopback, guard.getPort());
                    Socket upstream = accepted(server, host)) {
                upstream.setSoTimeout(60_000);
                host.setSoTimeout(60_000);
                readHead(upstream.getInputStream());
                send(
                        upstream,
                        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
                assertThat(readHead(host.getInputStream())).startsWith("HTTP/1.1 200");
                event.happens(host, again, proxy);

                assertThat(upstream.getInputStream().read()).isEqualTo(-1);
            }
        }
    }

    private static Socket accepted(ServerSocket server, Socket host) throws IOException {
        send(host, GET);
        return server.accept();
    }

    private static void send(Socket to, String text) throws IOException {
        to.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        to.getOutputStream().flush();
    }

    private static String readHead(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        for (int next = in.read(); next >= 0; next = head.indexOf("\r\n\r\n") < 0 ? in.read() : -1) {
            head.append((char) next);
        }
        return head.toString();
    }
}
