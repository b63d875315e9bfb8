package dev.idem.http.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A real server that counts its effects, and answers each request as its script says, or not at all. */
final class Remote implements AutoCloseable {
    static final String KEY = "Idempotency-Key";
    private static final String BODY = "{\"id\":\"ch_1\"}";

    /** A request as it came in. */
    record Seen(String line, Map<String, String> headers, String body) {
        String key() {
            return headers.getOrDefault(KEY, "");
        }
    }

    /** How the remote treats one request. */
    interface Step {
        void serve(Remote remote, Seen seen, Socket socket) throws IOException;
    }

    /** Acts, and answers. */
    static final Step ANSWERS = (remote, seen, socket) -> send(socket, remote.act(seen));

    /** Acts, and closes the connection without an answer. */
    static final Step LOSES_THE_ANSWER = (remote, seen, socket) -> remote.act(seen);

    /** Acts, and resets the connection. */
    static final Step RESETS = (remote, seen, socket) -> {
        remote.act(seen);
        socket.setSoLinger(true, 0);
    };

    /** Acts, sends the beginning of an answer, and resets the connection. */
    static final Step RESETS_IN_THE_ANSWER = (remote, seen, socket) -> {
        remote.act(seen);
        send(socket, "HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{\"id\":");
        socket.setSoLinger(true, 0);
    };

    /** Acts, sends the beginning of an answer, and closes the connection as if that were all. */
    static final Step ENDS_THE_ANSWER_EARLY = (remote, seen, socket) -> {
        remote.act(seen);
        send(socket, "HTTP/1.1 201 Created\r\nConnection: close\r\nContent-Length: 100\r\n\r\n{\"id\":\"ch_");
    };

    /** Acts, and keeps the connection open without an answer. */
    static final Step STALLS = (remote, seen, socket) -> {
        remote.act(seen);
        awaitClose(socket);
    };

    /** Acts, sends the beginning of an answer, and keeps the connection open. */
    static final Step STALLS_IN_THE_ANSWER = (remote, seen, socket) -> {
        remote.act(seen);
        send(socket, "HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{\"id\":");
        awaitClose(socket);
    };

    /** Called at named points of a request, where a test may stop it. */
    interface Points {
        void at(String point) throws IOException;
    }

    final List<Seen> seen = new CopyOnWriteArrayList<>();
    final AtomicInteger effects = new AtomicInteger();
    private final Queue<Step> script = new ConcurrentLinkedQueue<>();
    private final Map<String, String> answers = new ConcurrentHashMap<>();
    private final boolean knowsKeys;
    private final ServerSocket server;
    final CountDownLatch firstServed = new CountDownLatch(1);
    /** Whether it takes a second request on a connection. */
    volatile boolean keepsAlive;

    volatile Points points = point -> {};

    /**
     * Starts it on a free port.
     *
     * @param knowsKeys whether it acts once for each key
     */
    Remote(boolean knowsKeys, Step... script) throws IOException {
        this.knowsKeys = knowsKeys;
        this.script.addAll(List.of(script));
        this.server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    /** Refuses, without having done anything, with these header lines. */
    static Step refuses(int status, String... headers) {
        return (remote, seen, socket) -> send(socket, answer(status, "{}", headers));
    }

    /** Acts, and answers with an error of the server. */
    static Step actsAndFails(int status, String... headers) {
        return (remote, seen, socket) -> {
            remote.act(seen);
            send(socket, answer(status, "{}", headers));
        };
    }

    /** Answers with a problem of a remote that uses Idem. */
    static Step problem(int status, String type) {
        String body = "{\"type\":\"urn:idem:problem:" + type + "\",\"status\":" + status + "}";
        return (remote, seen, socket) -> send(socket, answer(status, body, "Content-Type: application/problem+json"));
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort() + "/charges?expand=all");
    }

    /** Has its effect, unless it knows the key, and gives the answer. */
    String act(Seen request) {
        if (!knowsKeys) {
            effects.incrementAndGet();
            String created = answer(201, BODY, "Set-Cookie: session=secret", "Location: /charges/ch_1");
            return keepsAlive ? created.replace("Connection: close\r\n", "") : created;
        }
        boolean[] acted = {false};
        String first = answers.computeIfAbsent(request.key(), key -> {
            acted[0] = true;
            effects.incrementAndGet();
            return answer(201, BODY, "Set-Cookie: session=secret", "Location: /charges/ch_1");
        });
        return acted[0] ? first : first.replace("\r\n\r\n", "\r\nIdempotent-Replayed: true\r\n\r\n");
    }

    static String answer(int status, String body, String... headers) {
        StringBuilder text = new StringBuilder("HTTP/1.1 " + status + " Status\r\nConnection: close\r\n");
        for (String header : headers) {
            text.append(header).append("\r\n");
        }
        return text.append("Content-Length: " + body.length() + "\r\n\r\n" + body)
                .toString();
    }

    static void send(Socket socket, String text) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    private static void awaitClose(Socket socket) throws IOException {
        // Ends when the client gives up.
        while (socket.getInputStream().read() >= 0) {}
    }

    private void accept() throws IOException {
        while (!server.isClosed()) {
            Socket socket = server.accept();
            start(() -> {
                try (socket) {
                    points.at("connected");
                    for (int request = 1; request <= (keepsAlive ? 2 : 1); request++) {
                        Seen read = read(socket.getInputStream());
                        seen.add(read);
                        Step next = script.poll();
                        (next == null ? ANSWERS : next).serve(this, read, socket);
                    }
                } finally {
                    firstServed.countDown();
                }
            });
        }
    }

    private Seen read(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the client left");
            }
            head.write(next);
        }
        String[] lines = head.toString(StandardCharsets.ISO_8859_1).split("\r\n", -1);
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String line : Arrays.asList(lines).subList(1, lines.length)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                headers.put(line.substring(0, colon), line.substring(colon + 1).strip());
            }
        }
        points.at("head-read");
        int length = Integer.parseInt(headers.getOrDefault("Content-Length", "0"));
        return new Seen(lines[0], headers, new String(in.readNBytes(length), StandardCharsets.UTF_8));
    }

    private interface Work {
        void run() throws IOException;
    }

    private void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException e) {
                // The client or the server has closed the connection.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
