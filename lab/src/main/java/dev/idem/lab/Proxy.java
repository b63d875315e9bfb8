package dev.idem.lab;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A proxy between clients and a server that loses, delays and cuts their messages. */
public final class Proxy implements AutoCloseable {
    private final ServerSocket server;
    private volatile int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    /** Those whose answers are lost, also after others get theirs again. */
    private final Set<Socket> lost = ConcurrentHashMap.newKeySet();

    private volatile Duration delay = Duration.ZERO;
    private boolean swallowing;

    /** Listens on its own port and forwards to the target port. */
    public Proxy(int target) throws IOException {
        this.target = target;
        this.server = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
        daemon(this::accept);
    }

    /** The port for clients. */
    public int port() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                daemon(() -> connect(client));
            } catch (IOException e) {
                // Closed.
            }
        }
    }

    private void connect(Socket client) {
        sockets.add(client);
        try {
            Socket behind = new Socket(InetAddress.getLoopbackAddress(), target);
            sockets.add(behind);
            client.setTcpNoDelay(true);
            behind.setTcpNoDelay(true);
            daemon(() -> pump(behind, client, true));
            pump(client, behind, false);
        } catch (IOException e) {
            close(client);
        }
    }

    private void pump(Socket from, Socket to, boolean answers) {
        byte[] buffer = new byte[16 * 1024];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                pause(delay);
                if (!answers || !isLost(to)) {
                    out.write(buffer, 0, read);
                }
            }
        } catch (IOException e) {
            // Cut by one side or by this proxy.
        } finally {
            close(from);
            close(to);
        }
    }

    /** Forwards to another port from now on, and closes all connections. */
    public void turnTo(int port) {
        target = port;
        cut();
    }

    /** Closes all connections. */
    public void cut() {
        List.copyOf(sockets).forEach(this::close);
    }

    /** Delays every message in either direction. */
    public void delay(Duration time) {
        delay = time;
    }

    /** An incomplete stream is useless, so what has lost an answer gets none any more. */
    private synchronized boolean isLost(Socket client) {
        if (swallowing) {
            lost.add(client);
        }
        return lost.contains(client);
    }

    /**
     * Passes requests on, but loses answers. At its end all connections are cut. Clients that come back at once get their
     * answers.
     */
    public void swallow(boolean on) {
        synchronized (this) {
            if (swallowing && !on) {
                lost.addAll(sockets);
            }
            swallowing = on;
        }
        if (!on) {
            List.copyOf(lost).forEach(this::close);
        }
    }

    private void close(Socket socket) {
        sockets.remove(socket);
        try {
            socket.close();
        } catch (IOException e) {
            // Already closed.
        }
        lost.remove(socket);
    }

    private static void pause(Duration time) {
        if (!time.isZero()) {
            try {
                Thread.sleep(time.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        server.close();
        cut();
    }
}
