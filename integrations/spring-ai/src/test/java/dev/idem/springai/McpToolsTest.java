package dev.idem.springai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.agent.session.Session;
import dev.idem.testkit.LogLines;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.mcp.SyncMcpToolCallbackProvider;

/** The real MCP client, and a real server in a process of its own. The build runs this class with 1.1 and with 2.0. */
class McpToolsTest {
    private static final String ANN = "{\"customer\":\"ann\"}";

    @TempDir
    private Path folder;

    private final Idem idem = Idem.open("memory:");
    private final ScriptedModel model = new ScriptedModel();
    private McpSyncClient client;

    @AfterEach
    void close() {
        idem.close();
        if (client != null) {
            client.close();
        }
    }

    /** The patience also covers the start of the server, which may take long on a busy machine: then it is doubled. */
    private SyncMcpToolCallbackProvider server(Duration patience) {
        try {
            return started(patience);
        } catch (RuntimeException e) {
            client.close();
            if (patience.compareTo(Duration.ofMinutes(1)) > 0) {
                throw e;
            }
            return server(patience.multipliedBy(2));
        }
    }

    private SyncMcpToolCallbackProvider started(Duration patience) {
        List<String> command = McpShop.command(folder.resolve("effects"));
        ServerParameters server = ServerParameters.builder(command.get(0))
                .args(command.subList(1, command.size()))
                .build();
        client = McpClient.sync(new StdioClientTransport(server, McpJsonDefaults.getMapper()))
                .initializationTimeout(Duration.ofSeconds(60))
                .requestTimeout(patience)
                .jsonSchemaValidator((schema, content) -> JsonSchemaValidator.ValidationResponse.asValid(null))
                .build();
        client.initialize();
        return SyncMcpToolCallbackProvider.builder().mcpClients(client).build();
    }

    private void chat(IdemTools tools, Map<String, Object> context) {
        ChatClient.builder(model)
                .defaultToolCallbacks(tools)
                .build()
                .prompt("do it")
                .toolContext(context)
                .call()
                .content();
    }

    private List<String> effects() throws Exception {
        return Files.readAllLines(folder.resolve("effects"));
    }

    @Test
    void timeoutsReportedErrorsAndAServerThatDiedAreInDoubt() throws Exception {
        IdemTools tools = IdemTools.of(idem, server(Duration.ofSeconds(5)));
        List<String> failing = List.of("refuse", "break", "stall", "die");
        failing.forEach(tool -> model.calls(tool, ANN).calls(tool, ANN));
        model.says("done");

        chat(tools, Session.context("order-1"));

        assertThat(effects()).isEqualTo(failing);
        assertThat(model.told()).hasSize(8);
        for (int call = 0; call < 8; call += 2) {
            assertThat(model.told().get(call)).contains("It is unknown whether it took effect");
            assertThat(model.told().get(call + 1)).contains("was not called").contains("Do not call it again");
        }
    }

    @Test
    void aReadIsReplayedLikeAWriteUntilTheHintsAreTrustedAndTheLogNamesTheSwitch() throws Exception {
        SyncMcpToolCallbackProvider server = server(Duration.ofSeconds(60));
        try (LogLines log = LogLines.of("dev.idem.springai")) {
            model.calls("lookup", ANN).calls("lookup", ANN).says("done");
            chat(IdemTools.of(idem, server), Session.context("order-1"));
            assertThat(effects()).containsExactly("lookup");
            assertThat(log.warnings())
                    .singleElement()
                    .asString()
                    .contains(".trustHints()")
                    .contains("close_account, lookup, set_limit");
        }
        try (LogLines log = LogLines.of("dev.idem.springai")) {
            IdemTools trusting = IdemTools.of(idem, server).trustHints();
            model.calls("lookup", ANN)
                    .calls("lookup", ANN)
                    .calls("set_limit", ANN)
                    .calls("close_account", ANN)
                    .calls("charge", ANN)
                    .says("done");
            chat(trusting, Map.of());

            assertThat(effects()).containsExactly("lookup", "lookup", "lookup");
            List<String> refused = model.told().subList(4, 7);
            assertThat(refused.get(0)).contains("has effects (idempotent)");
            assertThat(refused.get(1)).contains("has effects (destructive)");
            assertThat(refused.get(2)).contains("has effects (write)");
            assertThat(log.warnings()).isEmpty();
        }
    }

    @Test
    void aSettingToolWhoseHintIsTrustedRunsAgainUnlessItIsDeclaredToBeAWrite() throws Exception {
        SyncMcpToolCallbackProvider server = server(Duration.ofSeconds(60));
        IdemTools trusting = IdemTools.of(idem, server).trustHints();
        model.calls("set_limit", ANN).calls("set_limit", ANN).says("done");
        chat(trusting, Session.context("order-1"));
        assertThat(effects()).containsExactly("limit", "limit");

        model.calls("set_limit", ANN).calls("set_limit", ANN).says("done");
        chat(trusting.with("set_limit", tool -> tool.policy(Policy.write())), Session.context("order-2"));

        assertThat(effects()).containsExactly("limit", "limit", "limit");
    }
}
