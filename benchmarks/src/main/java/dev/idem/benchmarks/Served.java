package dev.idem.benchmarks;

import dev.idem.Idem;
import dev.idem.lab.PostgresqlServer;
import dev.idem.lab.TempFolder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code idem serve} over a pipe, at a socket and on the network, beside the same call on the same ledger in this process. Then many
 * connections at once, with the clients on the same machine; and its start.
 */
final class Served implements Scenario {
    private static final String PIPE = "a pipe";
    private static final String SOCKET = "a socket";
    private static final String HTTP = "HTTP";
    private static final int CALLS_A_TURN = 20;
    private static final int CONNECTIONS = 16;
    private static final int STARTS = 5;

    @Override
    public String name() {
        return "idem serve";
    }

    @Override
    public List<Row> run(Effort effort) throws Exception {
        Path launcher = StartUp.launcher();
        if (launcher == null) {
            return List.of(Row.withoutPromise("idem serve", "skipped: no launcher above this folder", "", ""));
        }
        List<Row> rows = new ArrayList<>();
        for (String ledger : List.of("memory", "SQLite")) {
            for (String way : List.of(PIPE, SOCKET, HTTP)) {
                rows.addAll(compared(effort.inTurnsOf(CALLS_A_TURN), launcher, ledger, way, null));
            }
        }
        try (TempFolder home = new TempFolder(effort.folder());
                PostgresqlServer database = new PostgresqlServer(home.path())) {
            for (String way : List.of(SOCKET, HTTP)) {
                rows.addAll(compared(effort.inTurnsOf(CALLS_A_TURN), launcher, "PostgreSQL", way, database.url()));
            }
        }
        for (String way : List.of(SOCKET, HTTP)) {
            rows.add(crowd(effort, launcher, way));
        }
        rows.add(started(effort, launcher));
        return rows;
    }

    private static List<Row> compared(
            Effort effort, Path launcher, String ledger, String way, @Nullable String database) throws Exception {
        String schema = way.replace(' ', '_').toLowerCase(Locale.ROOT);
        try (TempFolder folder = new TempFolder(effort.folder());
                Server server = new Server(
                        launcher,
                        database == null ? url(ledger, folder, "served") : database + "?schema=served_" + schema,
                        way,
                        folder);
                Client client = server.connect();
                Idem bare = Idem.builder()
                        .ledger(database == null ? url(ledger, folder, "bare") : database + "?schema=bare_" + schema)
                        .quiet()
                        .open()) {
            Turns first = Turns.take(
                    effort,
                    round -> Turns.perCall(CALLS_A_TURN, i -> client.first(round + "-" + i)),
                    round -> Turns.perCall(CALLS_A_TURN, i -> call(bare, round + "-" + i)));
            Turns replay = Turns.take(
                    effort,
                    round -> Turns.perCall(CALLS_A_TURN, i -> client.replay("0-" + i)),
                    round -> Turns.perCall(CALLS_A_TURN, i -> call(bare, "0-" + i)));
            String where = " over " + way + ", " + ledger + " | in this process";
            double called = first.median(Turns::measured);
            boolean http = way.equals(HTTP);
            double replayed = replay.median(Turns::measured);
            return List.of(
                    Row.of(
                            "claim and settle" + where,
                            Units.time(called),
                            Units.time(first.median(Turns::floor)),
                            "+ " + Units.time(first.median(Turns::differences)),
                            http ? Budget.OVER_HTTP : Budget.FIRST_CALL_OVER_A_PIPE,
                            called - (http ? 1 : 1.5) * first.median(Turns::floor)),
                    Row.of(
                            "replay" + where,
                            Units.time(replayed),
                            Units.time(replay.median(Turns::floor)),
                            "+ " + Units.time(replay.median(Turns::differences)),
                            http ? Budget.OVER_HTTP : Budget.REPLAY_OVER_A_PIPE,
                            http ? replayed - replay.median(Turns::floor) : replayed));
        }
    }

    private static void call(Idem idem, String key) {
        idem.operation("charge").identity(Map.of("order", key)).run(running -> Map.of("id", "ch_1"));
    }

    private static String url(String ledger, TempFolder folder, String name) {
        return ledger.equals("memory") ? "memory:" : "sqlite:" + folder.file(name + ".db");
    }

    /** Guarded calls a second, with all clients in this process. */
    private static Row crowd(Effort effort, Path launcher, String way) throws Exception {
        Duration time = effort.measured().multipliedBy(3);
        ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
        try (TempFolder folder = new TempFolder(effort.folder());
                Server server = new Server(launcher, url("SQLite", folder, "served"), way, folder)) {
            long begin = System.nanoTime() + effort.warmUp().toNanos();
            long end = begin + time.toNanos();
            List<Callable<List<Double>>> clients = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                String name = "c" + i;
                clients.add(() -> calls(server, name, begin, end));
            }
            List<Double> all = new ArrayList<>();
            for (Future<List<Double>> each : threads.invokeAll(clients)) {
                all.addAll(each.get());
            }
            double[] took = all.stream().mapToDouble(Double::doubleValue).toArray();
            double rate = took.length / (time.toMillis() / 1e3);
            return Row.of(
                    "guarded calls a second over " + way + ", 16 connections, SQLite | p50, p99",
                    Math.round(rate) + "/s",
                    Units.time(Units.quantile(took, 0.5)) + ", " + Units.time(Units.quantile(took, 0.99)),
                    "",
                    Budget.GUARDED_CALLS_A_SECOND,
                    rate);
        } finally {
            threads.shutdownNow();
        }
    }

    private static List<Double> calls(Server server, String name, long begin, long end) throws IOException {
        List<Double> took = new ArrayList<>();
        try (Client client = server.connect()) {
            for (int i = 0; System.nanoTime() - end < 0; i++) {
                long start = System.nanoTime();
                client.first(name + "-" + i);
                if (start - begin >= 0) {
                    took.add((double) (System.nanoTime() - start));
                }
            }
        }
        return took;
    }

    private static Row started(Effort effort, Path launcher) throws Exception {
        double[] took = new double[STARTS];
        try (TempFolder folder = new TempFolder(effort.folder())) {
            for (int i = -1; i < STARTS; i++) {
                long start = System.nanoTime();
                try (Server server = new Server(launcher, url("SQLite", folder, "served"), PIPE, folder);
                        Client client = server.connect()) {
                    client.call("hello", "{}");
                    took[Math.max(i, 0)] = System.nanoTime() - start;
                }
            }
        }
        return Row.withoutPromise(
                "from the start of idem serve --stdio to its first answer",
                Units.time(Units.quantile(took, 0.5)),
                "",
                "");
    }

    /** A server as a program or a user starts it. */
    private static final class Server implements AutoCloseable {
        private static final Pattern LISTENS = Pattern.compile(" at http://127\\.0\\.0\\.1:([0-9]+)");

        private final Process process;
        private final @Nullable SocketAddress place;
        private final String header;

        Server(Path launcher, String url, String way, TempFolder folder) throws IOException, InterruptedException {
            Path socket = folder.file("run").resolve("s.sock");
            Path tokens = folder.file("tokens").resolve("tokens.json");
            Path told = folder.file("told");
            List<String> command = new ArrayList<>(List.of(launcher.toString(), "serve", "--ledger", url));
            command.addAll(
                    switch (way) {
                        case PIPE -> List.of("--stdio");
                        case SOCKET -> List.of("--socket", socket.toString());
                        default -> List.of("--listen", "127.0.0.1:0", "--tokens", tokens.toString());
                    });
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(told.toFile());
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
            builder.environment().put("XDG_CACHE_HOME", folder.file("cache").toString());
            process = builder.start();
            while (way.equals(SOCKET) && !Files.exists(socket)) {
                Thread.sleep(10);
            }
            Matcher listens = LISTENS.matcher("");
            while (way.equals(HTTP) && !listens.reset(Files.readString(told)).find()) {
                Thread.sleep(10);
            }
            place = switch (way) {
                case PIPE -> null;
                case SOCKET -> UnixDomainSocketAddress.of(socket);
                default -> new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(listens.group(1)));
            };
            header = way.equals(HTTP)
                    ? "Host: 127.0.0.1\r\nAuthorization: Bearer "
                            + Files.readString(tokens.resolveSibling("token")).strip()
                    : "Host: idem";
        }

        Client connect() throws IOException {
            if (place == null) {
                Client client = new Client(process.getOutputStream(), process.getInputStream(), null);
                client.call("hello", "{}");
                return client;
            }
            SocketChannel channel = SocketChannel.open(place);
            if (place instanceof InetSocketAddress) {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
            return new Client(Channels.newOutputStream(channel), Channels.newInputStream(channel), header);
        }

        @Override
        public void close() throws IOException {
            process.getOutputStream().close();
            process.destroy();
            process.onExit().join();
        }
    }

    /** A client that has one request open at a time. */
    private static final class Client implements AutoCloseable {
        private final OutputStream to;
        private final BufferedReader from;
        private final @Nullable String header;

        /** A client over HTTP with this header, or over a pipe. */
        Client(OutputStream to, InputStream from, @Nullable String header) {
            this.to = to;
            this.from = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8));
            this.header = header;
        }

        void first(String key) throws IOException {
            String granted = call("claim", claim(key));
            int at = granted.indexOf("\"ticket\":\"") + "\"ticket\":\"".length();
            String ticket = granted.substring(at, granted.indexOf('"', at));
            String settled =
                    call("settle", "{\"ticket\":\"" + ticket + "\",\"as\":\"complete\",\"result\":{\"id\":\"ch_1\"}}");
            require(settled, "recorded");
        }

        void replay(String key) throws IOException {
            require(call("claim", claim(key)), "replay");
        }

        private static void require(String answer, String word) {
            if (!answer.contains("\"answer\":\"" + word + "\"")) {
                throw new IllegalStateException("not " + word + ", but " + answer);
            }
        }

        private static String claim(String key) {
            return "{\"operation\":\"charge\",\"identity\":{\"order\":\"" + key + "\"},\"attempt_id\":\""
                    + UUID.randomUUID().toString().replace("-", "") + "\"}";
        }

        String call(String method, String params) throws IOException {
            String request = header != null
                    ? "POST /v1/" + method + " HTTP/1.1\r\n" + header
                            + "\r\nContent-Type: application/json\r\nContent-Length: " + params.length()
                            + "\r\n\r\n" + params
                    : "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":" + params + "}\n";
            to.write(request.getBytes(StandardCharsets.UTF_8));
            to.flush();
            String line = from.readLine();
            while (header != null && line != null && !line.startsWith("{")) {
                line = from.readLine();
            }
            if (line == null) {
                throw new IOException("no answer to " + method);
            }
            return line;
        }

        @Override
        public void close() throws IOException {
            to.close();
        }
    }
}
