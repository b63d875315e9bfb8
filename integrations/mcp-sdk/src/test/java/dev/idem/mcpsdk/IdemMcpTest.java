package dev.idem.mcpsdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Idem;
import dev.idem.NotExecutedException;
import dev.idem.Policy;
import dev.idem.Probe;
import dev.idem.agent.tool.McpCalls;
import dev.idem.mcpsdk.ToolServer.Kind;
import dev.idem.mcpsdk.ToolServer.Work;
import dev.idem.testkit.LogLines;
import dev.idem.testkit.Thorough;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Servers and clients of the SDK that talk over HTTP. The build runs the tagged tests with the oldest SDK too. */
class IdemMcpTest {
    private static final Map<String, Object> ANN = Map.of("to", "ann", "subject", "Order 7");
    private static final Map<String, Object> SCHEMA = Map.of(
            "type",
            "object",
            "properties",
            Map.of("to", Map.of("type", "string"), "subject", Map.of("type", "string")),
            "required",
            List.of("to"));
    private static final Tool SEND = Tool.builder("send_email", SCHEMA).build();

    private static TestTomcat tomcat;

    @TempDir
    private Path folder;

    private final AtomicInteger runs = new AtomicInteger();
    private final List<AutoCloseable> open = new ArrayList<>();
    private Idem idem = Idem.open("memory:");

    static Stream<Kind> kinds() {
        return Thorough.first(2, Kind.SYNC, Kind.STATELESS_ASYNC, Kind.ASYNC, Kind.STATELESS_SYNC);
    }

    @BeforeAll
    static void startTomcat(@TempDir Path base) throws Exception {
        tomcat = TestTomcat.start(base);
    }

    @AfterAll
    static void stopTomcat() throws Exception {
        tomcat.close();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        idem.close();
    }

    private IdemMcp guard() {
        return IdemMcp.oneUser(idem, "mail");
    }

    private ToolServer server(Kind kind, @Nullable IdemMcp guard, Tool tool, Work work) {
        ToolServer server = ToolServer.start(tomcat, kind, guard, tool, work);
        open.add(server);
        return server;
    }

    private ToolServer server(@Nullable IdemMcp guard, Work work) {
        return server(Kind.SYNC, guard, SEND, work);
    }

    private CallToolResult sent(CallToolRequest request) {
        return said("sent " + runs.incrementAndGet());
    }

    private static CallToolResult said(String text) {
        return CallToolResult.builder().addTextContent(text).build();
    }

    private static String text(CallToolResult result) {
        return ((TextContent) result.content().get(0)).text();
    }

    private static @Nullable Object status(CallToolResult result) {
        return result.meta() == null ? null : result.meta().get("dev.idem/status");
    }

    @Tag("every-sdk")
    @Test
    void theBuildChoseTheSdk() {
        assertThat(McpServer.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath())
                .endsWith("/mcp-core-" + System.getProperty("mcp-sdk.expected") + ".jar");
    }

    @Tag("every-sdk")
    @ParameterizedTest
    @MethodSource("kinds")
    void aDuplicateGetsTheFirstResultWhereTheBareToolRunsAgain(Kind kind) {
        ToolServer bare = server(kind, null, SEND, this::sent);
        bare.call(ANN);
        bare.call(ANN);
        assertThat(runs).hasValue(2);

        ToolServer guarded = server(kind, guard(), SEND, this::sent);
        CallToolResult first = guarded.call(ANN);
        CallToolResult second = guarded.call(ANN);

        assertThat(runs).hasValue(3);
        assertThat(first.meta()).isNull();
        assertThat(text(second)).isEqualTo(text(first));
        assertThat(second.isError()).isEqualTo(first.isError());
        assertThat(status(second)).isEqualTo("replayed");
        assertThat(second.meta().get("dev.idem/key")).asString().startsWith("idem_");
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aHundredCallsAtOnceRunOnceWhereTheBareToolRunsAHundredTimes(Kind kind) {
        assertThat(atOnce(kind, null)).hasSize(100);
        assertThat(runs.getAndSet(0)).isEqualTo(100);

        List<CallToolResult> answers = atOnce(kind, guard());

        assertThat(runs).hasValue(1);
        assertThat(answers).hasSize(100).allSatisfy(each -> {
            assertThat(text(each)).isEqualTo("sent 1");
            assertThat(each.isError()).isNotEqualTo(true);
        });
        assertThat(answers).filteredOn(each -> "replayed".equals(status(each))).hasSize(99);
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev.idem/key", "dev.idem/session"})
    void aKeyOrSessionThatIsNoneIsRefused(String name) {
        ToolServer server = server(Kind.STATELESS_SYNC, guard(), SEND, this::sent);
        for (Object none : List.of(" ", true, List.of("one"))) {
            assertThatThrownBy(() -> server.call(ANN, Map.of(name, none)))
                    .isInstanceOf(McpError.class)
                    .hasMessageContaining("leave the field out. Nothing ran");
        }
        assertThat(runs).hasValue(0);
        assertThatThrownBy(() -> guard().session(" ")).hasMessageContaining("needs an id");
    }

    private List<CallToolResult> atOnce(Kind kind, @Nullable IdemMcp guard) {
        CountDownLatch all = new CountDownLatch(100);
        ToolServer server = server(kind, guard, SEND, request -> {
            all.await();
            return sent(request);
        });
        McpAsyncClient client = server.client();
        CallToolRequest request = server.request(ANN, Map.of("dev.idem/key", "order-7"));
        return Flux.range(0, 100)
                .flatMap(
                        each -> Mono.defer(() -> {
                            all.countDown();
                            return client.callTool(request);
                        }),
                        100)
                .collectList()
                .block(Duration.ofSeconds(60));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aResultSurvivesARestart(Kind kind) {
        idem.close();
        String ledger = "sqlite:" + folder.resolve("idem.db");
        idem = Idem.open(ledger);
        CallToolResult first = server(kind, guard(), SEND, this::sent).call(ANN);
        idem.close();
        idem = Idem.open(ledger);

        CallToolResult second = server(kind, guard(), SEND, this::sent).call(ANN);

        assertThat(runs).hasValue(1);
        assertThat(text(second)).isEqualTo(text(first));
        assertThat(status(second)).isEqualTo("replayed");
    }

    @Tag("every-sdk")
    @ParameterizedTest
    @MethodSource("kinds")
    void aHandlerThatThrowsLeavesADoubtUnlessNothingRan(Kind kind) {
        ToolServer timingOut = server(kind, guard(), SEND, request -> {
            runs.incrementAndGet();
            throw new SocketTimeoutException("no answer");
        });
        assertThat(timingOut.call(ANN)).satisfies(first -> {
            assertThat(first.isError()).isTrue();
            assertThat(text(first)).contains("no answer").contains("unknown whether it took effect");
        });
        assertThat(timingOut.call(ANN)).satisfies(second -> {
            assertThat(second.isError()).isTrue();
            assertThat(status(second)).isEqualTo("in_doubt");
            assertThat(text(second)).contains("was not called").contains("Do not call it again");
        });
        assertThat(runs).hasValue(1);

        ToolServer refusing = server(kind, guard(), SEND, request -> {
            runs.incrementAndGet();
            throw new NotExecutedException("the address is wrong");
        });
        Map<String, Object> bob = Map.of("to", "bob");
        assertThat(text(refusing.call(bob))).contains("the address is wrong").contains("had no effect");
        refusing.call(bob);
        assertThat(runs).hasValue(3);
    }

    /** Without sessions: over streamable HTTP some clients see a broken connection instead, with and without a guard. */
    @Tag("every-sdk")
    @ParameterizedTest
    @EnumSource(names = "STATELESS_.*", mode = EnumSource.Mode.MATCH_ALL)
    void anErrorOfTheProtocolReachesTheClientUnchanged(Kind kind) {
        AtomicInteger code = new AtomicInteger(-32603);
        ToolServer server = server(kind, guard(), SEND, request -> {
            runs.incrementAndGet();
            throw McpError.builder(code.get()).message("it broke").build();
        });
        assertThatThrownBy(() -> server.call(ANN)).isInstanceOf(McpError.class).hasMessageContaining("it broke");
        assertThat(status(server.call(ANN))).isEqualTo("in_doubt");
        assertThat(runs).hasValue(1);

        // The handler passes on what another server said, after it has acted.
        for (int passedOn : List.of(-32700, -32600, -32601, -32602, -32042)) {
            code.set(passedOn);
            Map<String, Object> arguments = Map.of("to", "bob " + passedOn);
            assertThatThrownBy(() -> server.call(arguments)).isInstanceOf(McpError.class);
            assertThat(status(server.call(arguments))).isEqualTo("in_doubt");
        }
        assertThat(runs).hasValue(6);
    }

    @Test
    void anErrorOfTheProtocolMeansThatNothingHappenedWhereThatIsDeclared() {
        IdemMcp guard =
                guard().with("send_email", tool -> tool.policy(Policy.unset().definiteOn(McpError.class)));
        ToolServer server = server(Kind.STATELESS_SYNC, guard, SEND, request -> {
            runs.incrementAndGet();
            throw McpError.builder(-32042).message("sign in first").build();
        });
        for (int i = 1; i <= 2; i++) {
            assertThatThrownBy(() -> server.call(ANN)).isInstanceOf(McpError.class);
            assertThat(runs).hasValue(i);
        }
    }

    @Test
    void aReportedErrorIsPassedOnAndIsInDoubtUnlessItIsDeclared() {
        Work declining = request -> CallToolResult.builder()
                .addTextContent("declined " + runs.incrementAndGet())
                .isError(true)
                .build();
        ToolServer server = server(guard(), declining);
        CallToolResult first = server.call(ANN);
        assertThat(text(first)).isEqualTo("declined 1");
        assertThat(first.isError()).isTrue();
        assertThat(first.content()).as("and what has become of the call").hasSize(2);
        assertThat(String.valueOf(first.content().get(1))).contains("is held now", "idem why idem_");
        assertThat(status(server.call(ANN))).isEqualTo("in_doubt");
        assertThat(runs).hasValue(1);

        ToolServer declared = server(
                guard().with(
                                "send_email",
                                tool -> tool.policy(Policy.unset().definiteOn(ToolReportedErrorException.class))),
                declining);
        Map<String, Object> bob = Map.of("to", "bob");
        assertThat(text(declared.call(bob))).isEqualTo("declined 2");
        assertThat(text(declared.call(bob))).isEqualTo("declined 3");
    }

    /** The handler lost its connection, and the other side goes on. The probe looked too early, and found nothing. */
    @Test
    void anExceptionOfAHandlerIsNotTheEndOfWhatItBegan() {
        ToolServer server = server(
                guard().with("send_email", tool -> tool.probe((doubted, input) -> Probe.Verdict.notExecuted())),
                request -> {
                    runs.incrementAndGet();
                    throw new SocketTimeoutException("no answer");
                });
        server.call(ANN);

        assertThat(text(server.call(ANN))).contains("Do not call it again now", "600 seconds");
        assertThat(runs).hasValue(1);
    }

    @Test
    void aGivenKeyDecidesAndAKeyOfTheModelDoesNot() {
        ToolServer server = server(guard(), this::sent);
        Map<String, Object> key = Map.of("dev.idem/key", "mail-1");
        server.call(ANN, key);
        assertThat(status(server.call(ANN, key))).isEqualTo("replayed");
        CallToolResult conflict = server.call(Map.of("to", "bob"), key);
        assertThat(status(conflict)).isEqualTo("conflict");
        assertThat(conflict.isError()).isTrue();
        server.call(ANN, Map.of("dev.idem/key", "mail-2"));
        assertThat(runs).hasValue(2);

        server.call(Map.of("to", "cyd", "idempotency_key", "made up"));
        assertThat(status(server.call(Map.of("to", "cyd", "idempotency_key", "another"))))
                .isEqualTo("replayed");
        assertThat(runs).hasValue(3);
    }

    @Test
    void aSessionThatTheHostNamesHasItsOwnCalls() {
        ToolServer server = server(guard().session("task-1"), this::sent);
        server.call(ANN);
        assertThat(status(server.call(ANN, Map.of("dev.idem/session", "task-1"))))
                .isEqualTo("replayed");
        server.call(ANN, Map.of("dev.idem/session", "task-2"));
        assertThat(runs).hasValue(2);
    }

    @Test
    void aCallInTheDefaultSessionLapsesAndOneInASessionDoesNot() {
        ToolServer server = server(guard().repeatWindow(Duration.ofNanos(1)), this::sent);
        server.call(ANN);
        server.call(ANN);
        assertThat(runs).hasValue(2);

        Map<String, Object> task = Map.of("dev.idem/session", "task-1");
        server.call(ANN, task);
        server.call(ANN, task);
        assertThat(runs).hasValue(3);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void noUserGetsTheResultOfAnotherWhateverSessionIsNamed(Kind kind) {
        IdemMcp guard = IdemMcp.users(idem, "mail", context -> (String) context.get("user"));
        ToolServer server = server(kind, guard, SEND, this::sent);
        Duration patience = Duration.ofSeconds(60);
        CallToolRequest request = server.request(ANN, Map.of("dev.idem/session", "b"));

        server.client("ann", patience).callTool(request).block();
        CallToolResult again = server.client("ann", patience).callTool(request).block();
        assertThat(status(again)).isEqualTo("replayed");
        server.client("bob", patience).callTool(request).block();
        // Joined by a colon, user and session of these two are the same text.
        CallToolRequest crafted = server.request(ANN, Map.of("dev.idem/session", "x:b"));
        server.client("a", patience).callTool(crafted).block();
        server.client("a:x", patience).callTool(request).block();
        assertThat(runs).hasValue(4);

        CallToolResult nobody = server.client(" ", patience).callTool(request).block();
        assertThat(status(nobody)).isEqualTo("no_session");
        assertThat(nobody.isError()).isTrue();
        assertThat(text(nobody)).contains("IdemMcp.users(");
        assertThat(runs).hasValue(4);
    }

    @Test
    void aCallThatRunsIsToldInWordsAndAsAnErrorWhereResultsAreChecked() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Tool checked = Tool.builder("count", SCHEMA)
                .outputSchema(Map.of("type", "object", "required", List.of("count")))
                .build();
        for (Tool tool : List.of(SEND, checked)) {
            CountDownLatch started = new CountDownLatch(1);
            IdemMcp guard =
                    guard().with(tool.name(), now -> now.policy(Policy.unset().waitFor(Duration.ZERO)));
            ToolServer server = server(Kind.ASYNC, guard, tool, request -> {
                runs.incrementAndGet();
                started.countDown();
                end.await();
                return CallToolResult.builder()
                        .addTextContent("counted")
                        .structuredContent(Map.of("count", 1))
                        .build();
            });
            var first = server.client().callTool(server.request(ANN, Map.of())).toFuture();
            assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
            CallToolResult second = server.call(ANN);
            assertThat(status(second)).isEqualTo("in_flight");
            assertThat(second.isError()).isEqualTo(tool == checked);
            assertThat(text(second)).contains("running right now");
            if (tool == checked) {
                end.countDown();
                assertThat(first.get(30, TimeUnit.SECONDS).structuredContent()).isEqualTo(Map.of("count", 1));
                assertThat(server.call(ANN).structuredContent()).isEqualTo(Map.of("count", 1));
            }
        }
        assertThat(runs).hasValue(2);
    }

    @Test
    void aCallThatNeedsApprovalIsHeldAndIsNoError() {
        ToolServer server = server(
                guard().with("send_email", tool -> tool.policy(Policy.write().approval())), this::sent);
        CallToolResult held = server.call(ANN);
        assertThat(status(held)).isEqualTo("needs_approval");
        assertThat(held.isError()).isFalse();
        assertThat(runs).hasValue(0);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aHostThatStopsToWaitGetsTheResultWhenItAsksAgain(Kind kind) throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        ToolServer server = server(kind, guard(), SEND, request -> {
            started.countDown();
            end.await();
            return sent(request);
        });
        McpAsyncClient hasty = server.client("ann", Duration.ofMillis(300));
        var cancelled = hasty.callTool(server.request(ANN, Map.of())).toFuture();
        assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(() -> cancelled.get(30, TimeUnit.SECONDS)).hasMessageContaining("Did not observe");
        end.countDown();

        assertThat(text(server.call(ANN))).isEqualTo("sent 1");
        assertThat(runs).hasValue(1);
    }

    @Test
    void aCancelledSubscriptionDoesNotCancelTheWork() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        var guarded = guard().guard(new McpStatelessServerFeatures.AsyncToolSpecification(
                SEND,
                (context, request) -> ToolServer.mono(
                        keyed -> {
                            started.countDown();
                            end.await();
                            return sent(keyed);
                        },
                        request)));
        Mono<CallToolResult> call = guarded.callHandler()
                .apply(McpTransportContext.EMPTY, new CallToolRequest("send_email", ANN, Map.of()));
        Disposable subscription = call.subscribe();
        assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
        subscription.dispose();
        end.countDown();

        assertThat(call.block()).satisfies(replay -> {
            assertThat(text(replay)).isEqualTo("sent 1");
            assertThat(status(replay)).isEqualTo("replayed");
        });
        assertThat(runs).hasValue(1);
    }

    @Test
    void trustedHintsMakeAReadAndTheLogNamesTheSwitch() {
        Tool lookup = Tool.builder("lookup", SCHEMA)
                .annotations(new ToolAnnotations(null, true, false, null, null, null))
                .build();
        try (LogLines log = LogLines.of("dev.idem.mcpsdk")) {
            ToolServer untrusted = server(Kind.SYNC, guard(), lookup, this::sent);
            untrusted.call(ANN);
            untrusted.call(ANN);
            assertThat(runs).hasValue(1);
            assertThat(log.warnings())
                    .singleElement()
                    .asString()
                    .contains("'lookup'")
                    .contains("trustHints()");
        }
        try (LogLines log = LogLines.of("dev.idem.mcpsdk")) {
            ToolServer trusted = server(Kind.SYNC, guard().trustHints(), lookup, this::sent);
            trusted.call(Map.of("to", "bob"));
            trusted.call(Map.of("to", "bob"));
            assertThat(runs).hasValue(3);
            assertThat(log.warnings()).isEmpty();
        }
    }

    @Test
    void aSettingToolWhoseHintIsTrustedRunsAgainUnlessItIsDeclaredToBeAWrite() {
        Tool write = Tool.builder("write_file", SCHEMA)
                .annotations(new ToolAnnotations(null, false, false, true, null, null))
                .build();
        ToolServer trusted = server(Kind.SYNC, guard().trustHints(), write, this::sent);
        trusted.call(ANN);
        assertThat(text(trusted.call(ANN))).isEqualTo("sent 2");

        IdemMcp declared = guard().trustHints().with("write_file", tool -> tool.policy(Policy.write()));
        ToolServer once = server(Kind.SYNC, declared, write, this::sent);
        once.call(Map.of("to", "bob"));
        once.call(Map.of("to", "bob"));
        assertThat(runs).hasValue(3);
    }

    @Test
    void theModelIsToldThatNothingRanWhereNothingIsDeclared() {
        ToolServer undeclared = server(guard(), this::sent);
        ToolServer declared = server(guard().with("send_email", tool -> tool.policy(Policy.write())), this::sent);
        undeclared.call(ANN);

        assertThat(undeclared.call(ANN).content())
                .hasSize(2)
                .last()
                .satisfies(told -> assertThat(told.toString())
                        .contains("Idem: this is the recorded result of the same call, made ")
                        .contains("Nothing was run now.")
                        .contains("make it after "));
        Map<String, Object> keyed = Map.of("dev.idem/key", "mail-1");
        undeclared.call(ANN, keyed);
        assertThat(undeclared.call(ANN, keyed).content())
                .hasSize(2)
                .last()
                .satisfies(told -> assertThat(told.toString())
                        .contains(
                                "If the same call is meant a second time, the host has to give it a key of its own."));
        assertThat(declared.call(ANN).content()).hasSize(1);
        assertThat(runs).hasValue(2);
    }

    @Test
    void aRewordedCallIsTheSameWhereTheIdentityIsDeclaredAndAWrongNameIsRefused() {
        ToolServer server = server(guard().with("send_email", tool -> tool.identity("to")), this::sent);
        server.call(ANN);
        assertThat(status(server.call(Map.of("to", "ann", "subject", "Your order"))))
                .isEqualTo("replayed");
        assertThat(runs).hasValue(1);

        assertThatThrownBy(() -> server(guard().with("send_email", tool -> tool.identity("recipient")), this::sent))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no argument 'recipient'");
        assertThatThrownBy(() -> IdemMcp.oneUser(idem, " ")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aHandlerFindsTheKeyOfItsEntry() {
        List<Object> keys = new ArrayList<>();
        ToolServer server = server(guard(), request -> {
            keys.add(request.meta().get(McpCalls.KEY));
            return sent(request);
        });
        server.call(ANN);
        server.call(ANN, Map.of("dev.idem/key", "mail-1"));
        assertThat(keys.get(0)).asString().startsWith("idem_");
        assertThat(keys.get(1)).isEqualTo("mail-1");
    }
}
