package dev.idem.benchmarks;

import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.lab.TempFolder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code idem mcp} in front of a small MCP server, as a host starts both: the time that it adds to a message that passes,
 * to a guarded call on SQLite, and to the start. A turn asks through the guard and without it. What the ledger takes
 * alone is measured with a server that records the same entry itself.
 */
final class McpGuard implements Scenario {
    private static final int CALLS_A_TURN = 20;
    private static final int STARTS = 5;

    @Override
    public String name() {
        return "MCP guard, one host";
    }

    @Override
    public List<Row> run(Effort effort) throws Exception {
        Path launcher = StartUp.launcher();
        if (launcher == null) {
            return List.of(Row.withoutPromise("idem mcp", "skipped: no launcher above this folder", "", ""));
        }
        Effort turns = effort.inTurnsOf(CALLS_A_TURN);
        try (TempFolder folder = new TempFolder(effort.folder())) {
            List<String> bare = List.of(
                    System.getProperty("java.home") + "/bin/java",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    StartUp.classPathOf(EchoServer.class, folder),
                    EchoServer.class.getName());
            List<String> guarded = new ArrayList<>(List.of(
                    launcher.toString(),
                    "mcp",
                    "--name",
                    "echo",
                    "--ledger",
                    "sqlite:" + folder.file("idem.db"),
                    "--"));
            guarded.addAll(bare);
            List<String> recording = List.of(
                    System.getProperty("java.home") + "/bin/java",
                    "-XX:+UseSerialGC",
                    "-cp",
                    System.getProperty("java.class.path"),
                    RecordingServer.class.getName(),
                    folder.file("own.db").toString());
            List<Row> rows = new ArrayList<>();
            try (Host through = new Host(guarded, folder);
                    Host without = new Host(bare, folder);
                    Host alone = new Host(recording, folder)) {
                rows.add(passed(turns, through, without));
                rows.add(called(turns, through, without, alone));
            }
            rows.add(started(guarded, bare, folder));
            return rows;
        }
    }

    private static Row passed(Effort effort, Host through, Host without) throws Exception {
        Turns turns = Turns.take(
                effort,
                round -> Turns.perCall(CALLS_A_TURN, i -> through.ask("\"ping\"")),
                round -> Turns.perCall(CALLS_A_TURN, i -> without.ask("\"ping\"")));
        double added = turns.median(Turns::differences);
        return Row.of(
                "a message that passes idem mcp | without it",
                Units.time(turns.median(Turns::measured)),
                Units.time(turns.median(Turns::floor)),
                "+ " + Units.time(added),
                Budget.MCP_MESSAGE,
                added);
    }

    private static Row called(Effort effort, Host through, Host without, Host alone) throws Exception {
        Turns turns = Turns.take(
                effort,
                round -> Turns.perCall(CALLS_A_TURN, i -> through.ask(call(round, i)))
                        - Turns.perCall(CALLS_A_TURN, i -> without.ask(call(round, i))),
                round -> Turns.perCall(CALLS_A_TURN, i -> alone.ask(call(round, i)))
                        - Turns.perCall(CALLS_A_TURN, i -> without.ask(call(round, i))));
        double ratio = turns.median(Turns::ratios);
        return Row.of(
                "a guarded call on SQLite, on top of the call | a server with the ledger",
                Units.time(turns.median(Turns::measured)),
                Units.time(turns.median(Turns::floor)),
                Units.times(ratio),
                Budget.MCP_CALL,
                ratio);
    }

    private static String call(int round, int number) {
        return "\"tools/call\",\"params\":{\"name\":\"pay\",\"arguments\":{\"to\":\"ann\",\"order\":\"" + round + "-"
                + number + "\"}}";
    }

    private static Row started(List<String> guarded, List<String> bare, TempFolder folder) throws Exception {
        double[] through = new double[STARTS];
        double[] without = new double[STARTS];
        for (int i = 0; i < STARTS; i++) {
            through[i] = firstAnswer(guarded, folder);
            without[i] = firstAnswer(bare, folder);
        }
        return Row.withoutPromise(
                "from the start of idem mcp to the first answer | of the server alone",
                Units.time(Units.quantile(through, 0.5)),
                Units.time(Units.quantile(without, 0.5)),
                "+ " + Units.time(Units.quantile(through, 0.5) - Units.quantile(without, 0.5)));
    }

    private static double firstAnswer(List<String> command, TempFolder folder) throws IOException {
        long start = System.nanoTime();
        try (Host host = new Host(command, folder)) {
            host.ask("\"ping\"");
            return System.nanoTime() - start;
        }
    }

    /** A host that has one request open at a time. */
    private static final class Host implements AutoCloseable {
        private final Process process;
        private final BufferedReader answers;

        Host(List<String> command, TempFolder folder) throws IOException {
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
            builder.environment().put("XDG_STATE_HOME", folder.file("state").toString());
            builder.environment().put("XDG_CACHE_HOME", folder.file("cache").toString());
            process = builder.start();
            answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        }

        void ask(String method) throws IOException {
            String request = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":" + method + "}\n";
            process.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
            String answer = answers.readLine();
            if (answer == null || !answer.contains("\"result\"")) {
                throw new IllegalStateException("no result, but " + answer);
            }
        }

        @Override
        public void close() throws IOException {
            process.getOutputStream().close();
            process.onExit().join();
        }
    }

    /** The {@link EchoServer} with a ledger of its own: it records the entry that the guard would record for a call. */
    static final class RecordingServer {
        private RecordingServer() {}

        public static void main(String[] args) throws IOException {
            try (Idem idem = Ledgers.inSqlite(Path.of(args[0]))) {
                Operation<String> pay = idem.operation("pay").returning(String.class);
                EchoServer.serve(request -> {
                    String order = EchoServer.member(request, "order");
                    pay.identity(Map.of("to", "ann", "order", order))
                            .label("to", "ann")
                            .label("order", order)
                            .run(call -> "{\"content\":[]}");
                });
            }
        }
    }
}
