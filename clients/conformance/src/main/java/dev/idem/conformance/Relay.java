package dev.idem.conformance;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * The server process that a client starts. It hands stdin and stdout to the harness, where the real server runs behind a
 * layer of faults. So a server starts in a moment, and its death is the death of a process.
 */
final class Relay {
    private Relay() {}

    public static void main(String[] arguments) throws IOException {
        try (Socket harness = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]))) {
            harness.setTcpNoDelay(true);
            String greeting = arguments[1] + " " + ProcessHandle.current().pid() + "\n";
            harness.getOutputStream().write(greeting.getBytes(StandardCharsets.US_ASCII));
            Thread requests = new Thread(() -> {
                try {
                    copy(new FileInputStream(FileDescriptor.in), harness.getOutputStream());
                    harness.shutdownOutput();
                } catch (IOException e) {
                    Runtime.getRuntime().halt(1);
                }
            });
            requests.setDaemon(true);
            requests.start();
            copy(harness.getInputStream(), new FileOutputStream(FileDescriptor.out));
        }
        Runtime.getRuntime().halt(0);
    }

    private static void copy(InputStream in, OutputStream out) throws IOException {
        byte[] buffer = new byte[1 << 16];
        for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
            out.write(buffer, 0, length);
            out.flush();
        }
    }
}
