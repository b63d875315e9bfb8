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
import org.junit.jupiter.api.Timeout;

/** A host leaves a stream on which the server is silent. The guard held the server's end open for ever. */
class LeftStreamTest {
    @Test
    @Timeout(60)
    void theServersEndIsClosedWhenTheHostHasLeft() throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket server = new ServerSocket(0, 10, loopback);
                Idem idem = Idem.builder().ledger("memory:").quiet().open();
                HttpProxy proxy = new HttpProxy(
                        idem,
                        McpOptions.of("silent"),
                        URI.create("http://127.0.0.1:" + server.getLocalPort() + "/mcp"),
                        Duration.ofSeconds(20),
                        Duration.ofMillis(20))) {
            URI guard = proxy.start("127.0.0.1", 0);
            Socket host = new Socket(loopback, guard.getPort());
            send(host, "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n");
            try (Socket upstream = server.accept()) {
                readHead(upstream.getInputStream());
                send(
                        upstream,
                        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
                assertThat(readHead(host.getInputStream())).startsWith("HTTP/1.1 200");
                host.close();

                assertThat(upstream.getInputStream().read()).isEqualTo(-1);
            }
        }
    }

    private static void send(Socket to, String text) throws IOException {
        to.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        to.getOutputStream().flush();
    }

    private static String readHead(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.read());
        }
        return head.toString();
    }
}
