package dev.idem.remote;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * A server over TLS 1.3 that answers the hello, and asks for a certificate on every later connection. Its client has none,
 * and learns by an alert that this is not enough: behind the handshake, when its request is on its way.
 */
final class AlertingServer implements AutoCloseable {
    private final SSLContext context;
    private final ServerSocket listening;
    private final AtomicInteger alerts = new AtomicInteger();
    private final Thread thread = new Thread(this::serve, "alerting");

    AlertingServer(KeyStore keys, String password) throws IOException, GeneralSecurityException {
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, password.toCharArray());
        context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        thread.start();
    }

    String url() {
        return "https://127.0.0.1:" + listening.getLocalPort();
    }

    /** How often it has refused a client. */
    int alerts() {
        return alerts.get();
    }

    private void serve() {
        for (boolean first = true; !listening.isClosed(); first = false) {
            try (Socket plain = listening.accept()) {
                SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, null, false);
                socket.setEnabledProtocols(new String[] {"TLSv1.3"});
                if (first) {
                    greet(socket);
                } else {
                    socket.setNeedClientAuth(true);
                    refuse(socket, plain);
                }
            } catch (IOException e) {
                // The test is over.
            }
        }
    }

    private static void greet(SSLSocket socket) throws IOException {
        int read = 0;
        byte[] request = new byte[8192];
        while (!new String(request, 0, read, StandardCharsets.UTF_8).endsWith("}")) {
            int more = socket.getInputStream().read(request, read, request.length - read);
            if (more <= 0) {
                throw new EOFException("the hello has no end");
            }
            read += more;
        }
        byte[] hello = CannedServer.HELLO.getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + hello.length + "\r\n\r\n";
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().write(hello);
        socket.close();
    }

    private void refuse(SSLSocket socket, Socket plain) throws IOException {
        try {
            socket.startHandshake();
        } catch (IOException e) {
            alerts.incrementAndGet();
        }
        // A connection that is closed before all was read is reset, and the alert may be lost.
        plain.shutdownOutput();
        plain.getInputStream().readAllBytes();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
