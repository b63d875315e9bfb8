package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.Json;
import dev.idem.spi.Host;
import dev.idem.spi.ProcessRef;
import dev.idem.testkit.Until;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code idem serve --stdio} as a process of its own, whose parent or which itself is killed. */
class ServeIT {
    private static final String HELLO = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hello\",\"params\":{}}";
    private static final String CLAIM =
            "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"claim\",\"params\":{\"operation\":\"o\",\"key\":\"k\",\"attempt_id\":"
                    + "\"0123456789abcdef0123456789abcdef\"}}";
    /** The ledger's own id has taken the first fence. */
    private static final String WAIT =
            "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"wait\",\"params\":{\"operation\":\"o\",\"key\":\"k\",\"fence\":\"2\"}}";

    @TempDir
    Path folder;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void end() throws InterruptedException {
        for (Process each : started) {
            each.destroyForcibly().waitFor();
        }
    }

    private List<String> serve() {
        return Idems.command(
                List.of(), "serve", "--stdio", "--ledger", "sqlite:" + folder.resolve("idem.db") + "?busy=60s");
    }

    /** A program that starts a server, sends it these lines, and then does something else for ever. */
    private static List<String> parent(String language, Path file) throws IOException {
        String lines = String.join("\\n", HELLO, CLAIM, WAIT).replace("\"", "\\\"") + "\\n";
        String code = switch (language) {
            case "sh" ->
                // The sleeping child has the pipe as well, and lives on for a moment.
                "mkfifo in; \"$@\" <in >out & echo $! >pid; exec 3>in; printf '%s\\n' '" + HELLO + "' '" + CLAIM + "' '"
                        + WAIT + "' >&3; while :; do sleep 1; done";
            case "python3" ->
                "import subprocess, sys, time\n"
                        + "p = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=open('out', 'w'))\n"
                        + "open('pid', 'w').write(str(p.pid))\np.stdin.write(b\"" + lines + "\")\np.stdin.flush()\n"
                        + "time.sleep(600)\n";
            default ->
                "const fs = require('fs');\nconst p = require('child_process').spawn(process.argv[2], process.argv.slice(3), "
                        + "{ stdio: ['pipe', fs.openSync('out', 'w'), 'inherit'] });\n"
                        + "fs.writeFileSync('pid', String(p.pid));\np.stdin.write(\"" + lines
                        + "\");\nsetTimeout(() => {}, 600000);\n";
        };
        Files.writeString(file, code);
        return List.of(language, file.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"sh", "python3", "node"})
    void nothingIsLeftOfAProgramThatIsKilled(String language) throws Exception {
        assumeTrue(isThere(language), language + " is not here");
        List<String> command = new ArrayList<>(parent(language, folder.resolve("parent")));
        command.addAll(serve());
        Process parent = new ProcessBuilder(command)
                .directory(folder.toFile())
                .inheritIO()
                .start();
        started.add(parent);
        Until.isTrue(
                "its server has claimed, and somebody waits", () -> read("out").contains("granted"));
        ProcessHandle server =
                ProcessHandle.of(Long.parseLong(read("pid").strip())).orElseThrow();
        parent.destroyForcibly().waitFor();
        long killed = System.nanoTime();
        Until.isTrue("the server is gone", () -> !server.isAlive());
        // Five seconds are promised on an idle machine.
        assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - killed)).isLessThan(20);
    }

    private static boolean isThere(String program) throws Exception {
        return new ProcessBuilder("sh", "-c", "command -v " + program).start().waitFor() == 0;
    }

    private String read(String name) {
        try {
            Path file = folder.resolve(name);
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** A client that sends one request at a time. */
    private final class Client implements AutoCloseable {
        final Process server;
        private final Writer to;
        private final BufferedReader from;
        private int count;

        Client() throws IOException {
            server = new ProcessBuilder(serve())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            started.add(server);
            to = server.outputWriter();
            from = server.inputReader();
            call("hello", "{}");
        }

        @SuppressWarnings("unchecked")
        Map<String, @Nullable Object> call(String method, String params) throws IOException {
            to.write("{\"jsonrpc\":\"2.0\",\"id\":" + ++count + ",\"method\":\"" + method + "\",\"params\":"
                    + params.replace('\'', '"') + "}\n");
            to.flush();
            Map<String, @Nullable Object> answer = (Map<String, @Nullable Object>) Json.parse(from.readLine());
            assertThat(answer).containsKey("result");
            return (Map<String, @Nullable Object>) answer.get("result");
        }

        Map<String, @Nullable Object> claim(String key, String more) throws IOException {
            return call(
                    "claim",
                    "{'operation':'o','key':'" + key + "','attempt_id':'"
                            + UUID.randomUUID().toString().replace("-", "") + "'" + more + "}");
        }

        @Override
        public void close() throws IOException {
            to.close();
        }
    }

    private static String owner(ProcessRef process) {
        return ",'owner':{'process':{'host':'" + process.host() + "','pid':" + process.pid() + ",'start':"
                + process.start() + "}}";
    }

    /** The server was the owner of its tickets: when it was killed, all of them ran again beside their clients. */
    @Test
    @Tag("proof")
    void ticketsOutliveTheirServer() throws Exception {
        ProcessRef self = Host.system().self().process();
        assumeTrue(self != null, "processes can't be told apart here");
        String policy =
                ",'policy':{'on_doubt':'rerun','lease':'8s','retention':'30d','keep_failures':true}" + owner(self);
        List<String> tickets = new ArrayList<>();
        long claimed;
        try (Client rival = new Client()) {
            Client first = new Client();
            for (int i = 0; i < 50; i++) {
                tickets.add((String) first.claim("k" + i, policy).get("ticket"));
            }
            claimed = System.nanoTime();
            first.server.destroyForcibly().waitFor();
            assertThat(rival.claim("k7", policy)).containsEntry("answer", "in_flight");
            try (Client second = new Client()) {
                StringBuilder renewals = new StringBuilder();
                tickets.forEach(ticket -> renewals.append(renewals.isEmpty() ? "" : ",")
                        .append("{'ticket':'" + ticket + "','left_ms':60000}"));
                assertThat(second.call("renew", "{'tickets':[" + renewals + "]}")
                                .toString())
                        .doesNotContain("lost", "unanswered");
                // The actions take longer than the lease: this server renews what it has adopted.
                Until.isTrue("the lease would be over", () -> System.nanoTime() - claimed > 12_000_000_000L);
                for (int i = 0; i < 50; i++) {
                    assertThat(rival.claim("k" + i, policy)).containsEntry("answer", "in_flight");
                    String end = i % 2 == 0 ? "'complete','result':" + i : "'failed','error':{'message':'no'}";
                    assertThat(second.call("settle", "{'ticket':'" + tickets.get(i) + "','as':" + end + "}"))
                            .containsEntry("answer", "recorded");
                    assertThat(rival.claim("k" + i, policy)).containsEntry("answer", i % 2 == 0 ? "replay" : "failed");
                }
                assertThat(rival.call("find", "{'operation':'o','key':'k0'}").toString())
                        .matches("(?s).*settled_at=(....-..-..).*")
                        .doesNotContain("state=in_doubt");
            }
        }
    }

    @Test
    void aClientThatIsGoneIsInDoubtAtOnce() throws Exception {
        Process client = new ProcessBuilder("sleep", "600").start();
        started.add(client);
        ProcessRef process = Host.system().process(client.pid()).orElse(null);
        assumeTrue(process != null, "processes can't be told apart here");
        String policy = ",'policy':{'lease':'1h','time_limit':'2h'}" + owner(process);
        try (Client rival = new Client()) {
            rival.claim("k", policy);
            assertThat(rival.claim("k", "")).containsEntry("answer", "in_flight");
            client.destroyForcibly().waitFor();
            assertThat(rival.claim("k", "")).containsEntry("answer", "in_doubt");
        }
    }

    /** In another container the same number is another process, or none. */
    @Test
    void aClientInAnotherPidNamespaceIsNotTakenForDead() throws Exception {
        try (Client server = new Client()) {
            server.claim("k", owner(new ProcessRef("another-boot/4026532999", 999_999, 12345)));
            assertThat(server.claim("k", "")).containsEntry("answer", "in_flight");
        }
    }
}
