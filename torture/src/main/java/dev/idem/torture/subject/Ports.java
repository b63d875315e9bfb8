package dev.idem.torture.subject;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Checks whether a server listens on a loopback port. */
final class Ports {
    private static final int TIMEOUT_MILLIS = 1_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Ports() {}

    /** Returns when the server answers with the expected beginning. */
    static void await(int port, byte[] sent, String expected) throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!answers(port, sent, expected)) {
            if (System.nanoTime() - end > 0) {
                throw new IOException("the server on port " + port + " does not answer");
            }
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
    }

    private static boolean answers(int port, byte[] sent, String expected) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            OutputStream out = socket.getOutputStream();
            out.write(sent);
            out.flush();
            InputStream in = socket.getInputStream();
            return new String(in.readNBytes(expected.length()), StandardCharsets.US_ASCII).equals(expected);
        } catch (IOException e) {
            return false;
        }
    }
}
