package dev.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.http.HttpGuard;
import dev.idem.http.HttpRules;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Long bodies in a process whose heap is smaller than any of them. */
class BoundedHeapIT {
    private static final long DOWNLOAD = 1_000_000_000;
    private static final int UPLOAD = 90_000_000;

    /** In a quick build one of them. */
    static Stream<Server> servers() {
        return Server.onClassPath().limit(Boolean.getBoolean("idem.quick") ? 1 : Long.MAX_VALUE);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void aGigabyteDownAndNinetyMegabytesUpNeedAHeapOfFortyEight(Server server) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx48m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        BoundedHeapIT.class.getName(),
                        server.name())
                .redirectErrorStream(true)
                .start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(process.waitFor()).as(said).isZero();
            assertThat(said).contains("uploaded 90000000").contains("downloaded 1000000000");
        } finally {
            process.destroyForcibly();
        }
    }

    /** Serves and asks, in the process with the small heap. */
    public static void main(String[] args) throws Exception {
        try (Idem idem = Idem.builder().ledger("memory:").quiet().open();
                Container container = Server.valueOf(args[0])
                        .start(new IdemFilter(new HttpGuard(idem, HttpRules.ietf())), new Handlers())) {
            String answer = new String(post(container, "/size", UPLOAD), StandardCharsets.US_ASCII);
            System.out.println("uploaded " + answer.substring(answer.lastIndexOf(' ') + 1));
            try (Socket socket = send(container, "/download?" + DOWNLOAD, 0)) {
                System.out.println("downloaded " + bodyLength(socket.getInputStream()));
            }
        }
    }

    private static byte[] post(Container container, String target, int length) throws IOException {
        try (Socket socket = send(container, target, length)) {
            return socket.getInputStream().readAllBytes();
        }
    }

    /** HTTP/1.0, so that the body is not chunked and ends with the connection. */
    private static Socket send(Container container, String target, int length) throws IOException {
        Socket socket = new Socket("127.0.0.1", container.port());
        OutputStream out = socket.getOutputStream();
        out.write(("POST " + target + " HTTP/1.0\r\nX-Caller: ann\r\nIdempotency-Key: k-1\r\nContent-Length: " + length
                        + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        byte[] chunk = new byte[64 * 1024];
        for (int left = length; left > 0; left -= chunk.length) {
            out.write(chunk, 0, Math.min(left, chunk.length));
        }
        out.flush();
        return socket;
    }

    private static long bodyLength(InputStream in) throws IOException {
        int ends = 0;
        while (ends < 4) {
            ends = in.read() == (ends % 2 == 0 ? '\r' : '\n') ? ends + 1 : 0;
        }
        byte[] chunk = new byte[256 * 1024];
        long length = 0;
        for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
            length += read;
        }
        return length;
    }
}
