package dev.idem.postgresql;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between a ledger and its server, and can cut the line. */
final class Proxy implements AutoCloseable {
    private final ServerSocket door;
    private final int serverPort;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger swallowed = new AtomicInteger();
    private volatile boolean cut;
    private volatile boolean deaf;

    Proxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    int port() {
        return door.getLocalPort();
    }

    /** From now on nobody gets through. */
    void cut() {
        cut = true;
        hangUp();
    }

    /** Passes requests on, and cuts the connection instead of the answer. */
    void swallowAnswers() {
        deaf = true;
    }

    /** Lets everybody through again. */
    void mend() {
        cut = false;
        deaf = false;
    }

    /** Breaks the lines there are; new ones get through. */
    void hangUp() {
        sockets.removeIf(socket -> {
            close(socket);
            return true;
        });
    }

    /** How many answers were lost. */
    int swallowed() {
        return swallowed.get();
    }

    /** How many were turned away. */
    int refused() {
        return refused.get();
    }

    private void accept() {
        while (!door.isClosed()) {
            try {
                Socket client = door.accept();
                if (cut) {
                    refused.incrementAndGet();
                    client.close();
                    continue;
                }
                Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                sockets.add(client);
                sockets.add(server);
                if (cut) {
                    // It came in while the line was being cut.
                    hangUp();
                }
                start(() -> pump(client, server, false));
                start(() -> pump(server, client, true));
            } catch (IOException e) {
                // The door was closed, or somebody left at once: the next one, if any.
            }
        }
    }

    private void pump(Socket from, Socket to, boolean answers) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[8192];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (answers && deaf) {
                    swallowed.incrementAndGet();
                    return;
                }
                out.write(buffer, 0, read);
                out.flush();
            }
        } catch (IOException e) {
            // The line is cut, which is what this is for.
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
        hangUp();
    }
}
