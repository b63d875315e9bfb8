package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.idem.cli.InProcess.Ran;
import dev.idem.cli.around.OutputStyle;
import dev.idem.mcp.McpRules;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class McpRulesTest {
    @TempDir
    Path folder;

    private InProcess shell;

    @BeforeEach
    void open() {
        shell = new InProcess(folder);
        shell.style = OutputStyle.plain();
    }

    /** The file of a small MCP server in sh that has one tool. */
    static String server(Path folder) throws IOException {
        Path file = folder.resolve("server.sh");
        Files.writeString(file, """
                read -r initialize
                echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"shop","version":"1"}}}'
                read -r initialized
                read -r list
                echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"pay","title":"Pay a bill","inputSchema":{"type":"object","required":["to"]}}]}}'
                """);
        return file.toString();
    }

    @Test
    void aPipeGetsTheFileAndNothingElse() throws IOException {
        Ran ran = shell.idem("mcp", "rules", "--", "sh", server(folder));

        assertThat(ran.exit()).isZero();
        assertThat(ran.out()).isEqualTo("""
                # Drafted by "idem mcp rules" for shop 1.
                # The side effects are what the server says about its own tools: check each one.
                # A tool that is wrongly a read is not guarded.
                version: 1
                tools:
                  # Pay a bill
                  pay:
                    side_effect: write
                    on_error: doubt # or failed, if it acts last: then it may be called again after an error
                    # identity: [to]
                """);
        assertThat(ran.err()).startsWith("idem: 1 tool: 1 write. Check each side effect");
        assertThat(McpRules.parse(ran.out(), "draft")).isNotNull();
    }

    @Test
    void aServerOverHttpIsAskedByItsUrl() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/mcp", McpRulesTest::answer);
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/mcp";
            Ran ran = shell.idem("mcp", "rules", "--upstream", url);

            assertThat(ran.exit()).isZero();
            assertThat(ran.out()).contains("for shop 1.", "  pay:\n    side_effect: write\n");
        } finally {
            server.stop(0);
        }
    }

    private static void answer(HttpExchange http) throws IOException {
        try (http) {
            String asked = new String(http.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            if (!asked.contains("\"id\"")) {
                http.sendResponseHeaders(202, -1);
                return;
            }
            String answer = asked.contains("initialize")
                    ? "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                            + "\"serverInfo\":{\"name\":\"shop\",\"version\":\"1\"}}}"
                    : "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[{\"name\":\"pay\"}]}}";
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            http.getResponseHeaders().set("Content-Type", "application/json");
            http.sendResponseHeaders(200, body.length);
            http.getResponseBody().write(body);
        }
    }

    @Test
    void programsGetTheFileAsText() throws IOException {
        Ran ran = shell.idem("mcp", "rules", "--json", "--", "sh", server(folder));
        assertThat(ran.data())
                .containsEntry("effect", "noop")
                .containsEntry("server", "shop 1")
                .containsEntry("tools", 1L);
        assertThat(ran.data().get("rules").toString()).contains("side_effect: write");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            true              |   1 | SERVER_ENDED | the server ended with exit code 0 before it answered initialize
            echo hello        |   1 | NOT_MCP      | that is no message: hello
            sleep 60          |  10 | NO_ANSWER    | the server did not answer initialize within 1 s
            /etc/passwd       | 126 | NOT_STARTED  | is not executable
            no-such-command-x | 127 | NOT_STARTED  | not found in the PATH
            """)
    void aServerThatListsNothingHasAnExitOfItsOwn(String command, int exit, String code, String message) {
        Ran ran = shell.idem(("mcp rules --json --timeout 1s -- " + command).split(" ", -1));
        assertThat(ran.exit()).isEqualTo(exit);
        assertThat(ran.error()).containsEntry("code", code);
        assertThat(ran.error().get("message").toString()).contains(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --upstream http://127.0.0.1:1/mcp         | 1 | the server can't be reached: the connection was refused
            --upstream mail                           | 2 | --upstream: write the URL of the server
            --upstream http://127.0.0.1:1/mcp -- true | 2 | give one of these, not both
            """)
    void aUrlThatCanNotBeAskedIsTold(String line, int exit, String message) {
        Ran ran = shell.idem(("mcp rules " + line).split(" ", -1));
        assertThat(ran.exit()).isEqualTo(exit);
        assertThat(ran.err()).contains(message);
    }

    @Test
    void theGuardIsStillTheCommandOfOneWord() {
        assertThat(shell.idem("mcp", "--dry-run", "--name", "rules", "--", "true")
                        .err())
                .contains("'rules' can be guarded");
        assertThat(shell.idem("mcp", "--dry-run", "--", "rules").err()).contains("rules: not found");
        assertThat(shell.idem("mcp", "server").err()).contains("idem mcp -- server ...");
    }

    @Test
    void theHelpOfTheGuardNamesItsCommands() {
        String help = shell.idem("help", "mcp").out();
        assertThat(help).contains("Usage: idem mcp [options]", "Usage: idem mcp rules [options] -- COMMAND");
        assertThat(shell.idem("mcp", "--help").out()).isEqualTo(help);
        assertThat(shell.idem("mcp", "rules", "--help").out())
                .startsWith("idem mcp rules:")
                .isEqualTo(shell.idem("help", "mcp", "rules").out());
    }
}
