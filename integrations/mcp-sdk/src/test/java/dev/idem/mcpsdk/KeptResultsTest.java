package dev.idem.mcpsdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Idem;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.spec.McpSchema.AudioContent;
import io.modelcontextprotocol.spec.McpSchema.BlobResourceContents;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.ResourceLink;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The answers of a restarted server from results that an earlier one has stored. */
@Tag("every-sdk")
class KeptResultsTest {
    private static final Map<String, Object> SCHEMA = Map.of("type", "object");

    @TempDir
    private Path folder;

    private final AtomicInteger runs = new AtomicInteger();
    private String ledger;

    @BeforeEach
    void name() {
        ledger = "sqlite:" + folder.resolve("idem.db");
    }

    /** A server that has just started calls its tool once. */
    private CallToolResult call(CallToolResult result) {
        try (Idem idem = Idem.open(ledger)) {
            return call(idem, result);
        }
    }

    private CallToolResult call(Idem idem, CallToolResult result) {
        SyncToolSpecification bare =
                new SyncToolSpecification(Tool.builder("draw", SCHEMA).build(), (context, request) -> {
                    runs.incrementAndGet();
                    return result;
                });
        return IdemMcp.oneUser(idem, "paint")
                .guard(bare)
                .callHandler()
                .apply(McpTransportContext.EMPTY, new CallToolRequest("draw", Map.of("what", "cat"), Map.of()));
    }

    private static String json(Object value) throws Exception {
        return McpJsonDefaults.getMapper().writeValueAsString(value);
    }

    @Test
    void everyKindOfContentIsReplayedAsItWas() throws Exception {
        Map<String, Object> structured = new LinkedHashMap<>();
        structured.put("price", new BigDecimal("12345678901234567890.12345678901234567890"));
        structured.put("count", Long.MAX_VALUE);
        structured.put("list", List.of(1, "two", Map.of("three", 3.5)));
        CallToolResult result = CallToolResult.builder(List.of(
                        TextContent.builder("a cat \uD83D\uDC08")
                                .meta(Map.of("lang", "en"))
                                .build(),
                        ImageContent.builder("aW1hZ2U=", "image/png").build(),
                        AudioContent.builder("c291bmQ=", "audio/wav").build(),
                        ResourceLink.builder().uri("file:///cat").name("cat").build(),
                        EmbeddedResource.builder(TextResourceContents.builder("file:///a", "text")
                                        .build())
                                .build(),
                        EmbeddedResource.builder(BlobResourceContents.builder("file:///b", "YmxvYg==")
                                        .build())
                                .build()))
                .structuredContent(structured)
                .meta(Map.of("vendor/trace", "t-1"))
                .build();

        CallToolResult first = call(result);
        CallToolResult second = call(result);

        assertThat(runs).hasValue(1);
        assertThat(first).isSameAs(result);
        assertThat(second.content()).startsWith(result.content().toArray(Content[]::new));
        assertThat(second.isError()).isEqualTo(result.isError());
        assertThat(json(second.structuredContent())).isEqualTo(json(structured));
        assertThat(second.meta()).isEqualTo(Map.of("vendor/trace", "t-1", "dev.idem/status", "replayed"));
    }

    @Test
    void aResultThatCannotBeWrittenCountsAsDone() {
        Map<String, Object> itself = new HashMap<>();
        itself.put("itself", itself);
        CallToolResult endless = CallToolResult.builder()
                .addTextContent("drawn")
                .structuredContent(itself)
                .build();

        assertThat(call(endless)).isSameAs(endless);
        CallToolResult second = call(endless);

        assertThat(runs).hasValue(1);
        assertThat(second.meta()).containsEntry("dev.idem/status", "done_without_result");
        assertThat(second.isError()).isFalse();
        assertThat(((TextContent) second.content().get(0)).text()).contains("Do not repeat it");
    }

    @Test
    void aPersonMayGiveWordsOrAResult() {
        CallToolResult failing =
                CallToolResult.builder().addTextContent("?").isError(true).build();
        List<Object> given =
                List.of("it was drawn", Map.of("content", List.of(Map.of("type", "text", "text", "it was drawn"))));
        for (Object value : given) {
            try (Idem idem = Idem.open("memory:")) {
                call(idem, failing);
                Entry entry = idem.find(new Address("mcp-sdk:paint::default", "draw", key(idem)))
                        .orElseThrow();
                assertThat(idem.resolve(entry).by("ann").because("seen").asComplete(value))
                        .isTrue();

                assertThat(call(idem, failing).content())
                        .startsWith(TextContent.builder("it was drawn").build());
            }
        }
    }

    /** The key that an answer about the call names. */
    private String key(Idem idem) {
        CallToolResult doubted = call(idem, CallToolResult.builder().build());
        return String.valueOf(doubted.meta().get("dev.idem/key"));
    }
}
