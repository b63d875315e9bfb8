package dev.idem.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.SideEffect;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RulesDraftTest {
    private static Map<String, Object> tool(String name, String about, List<String> required, String... hints) {
        Map<String, Object> annotations =
                List.of(hints).stream().collect(java.util.stream.Collectors.toMap(hint -> hint, hint -> true));
        return Map.of(
                "name", name,
                "description", about,
                "inputSchema", Map.of("type", "object", "required", required),
                "annotations", annotations);
    }

    private static String draft(Map<?, ?>... tools) {
        return RulesDraft.of(new ToolList("mail-server 1.4.0", List.of(tools), List.of()));
    }

    @Test
    void aDraftHasARuleForEachTool() {
        String draft = draft(
                tool("send_email", "Send an email", List.of("to", "subject")),
                tool("list_folders", "List the folders", List.of("box"), "readOnlyHint"),
                tool("set_flag", "", List.of(), "idempotentHint"),
                tool("empty_trash", "Empty it", List.of("box"), "destructiveHint"));

        assertThat(draft).isEqualTo("""
                # Drafted by "idem mcp rules" for mail-server 1.4.0.
                # The side effects are what the server says about its own tools: check each one.
                # A tool that is wrongly a read is not guarded.
                version: 1
                tools:
                  # Send an email
                  send_email:
                    side_effect: write
                    on_error: doubt # or failed, if it acts last: then it may be called again after an error
                    # identity: [to, subject]
                  # List the folders
                  list_folders:
                    side_effect: read
                  set_flag:
                    side_effect: idempotent
                    on_error: doubt # or failed, if it acts last: then it may be called again after an error
                    repeat: run
                  # Empty it
                  empty_trash:
                    side_effect: destructive
                    on_error: doubt # or failed, if it acts last: then it may be called again after an error
                    # identity: [box]
                """);
    }

    @Test
    void aToolWithoutHintsIsAWriteAndItsTitleIsTheComment() {
        String draft = draft(Map.of("name", "pay", "title", "Pay a bill", "description", "Pays"));
        assertThat(draft).contains("  # Pay a bill\n  pay:\n    side_effect: write\n");
    }

    static List<String> names() {
        String names =
                "a: b§#x§yes§No§null§~§1§0x1F§§ §-§- a§? a§a #b§'§\"§\\§\\u0041§it's \"quoted\"§two\nlines§a\tb§\r"
                        + "§\u0000§\u001b[31m§\u0085§\u2028§\u202E§\uFEFF§\uFFFE§émigré§送信§\uD83D\uDCE7§\uDBFF\uDFFD"
                        + "§{a}§[a]§a,b§*a§&a§!a§%a§@a§`a§|§>§---§...§<<§=§a:§:a§version§tools";
        return List.of(names.split("§", -1));
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyNameIsReadAsItWas(String name) {
        String draft = draft(tool(name, "Does " + name, List.of(name)), tool("after", "", List.of()));

        McpRules rules = McpRules.parse(draft.replace("# identity:", "identity:"), "draft");

        assertThat(rules.tools().names()).containsExactlyInAnyOrder(name, "after");
        assertThat(rules.tools().of(name).policy().sideEffect()).isEqualTo(SideEffect.WRITE);
        assertThat(rules.tools().of(name).identity()).containsExactly(name);
    }

    @Test
    void aVeryLongNameIsReadAsItWas() {
        for (String name : List.of("a".repeat(3_000), "\uD83D\uDCE7".repeat(1_000), "\n".repeat(2_000))) {
            assertThat(McpRules.parse(draft(tool(name, "", List.of())), "draft")
                            .tools()
                            .names())
                    .containsExactly(name);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "one\n  evil:\n    side_effect: read",
                "one\r  evil: {side_effect: read}",
                "one\u0085  evil: {side_effect: read}",
                "one\u2028  evil: {side_effect: read}\u2029",
                "one\u0000\u001b[2J\u202E\uFEFF\uFFFF two",
                "one \uD83D\uDCE7 # two"
            })
    void aDescriptionDoesNotLeaveItsComment(String about) {
        String draft = draft(tool("pay", about, List.of()));

        assertThat(McpRules.parse(draft, "draft").tools().names()).containsExactly("pay");
        assertThat(draft.lines()).hasSize(9);
        assertThat(draft).doesNotContainPattern("[\\p{Cc}\\p{Cf}\\u2028\\u2029&&[^\\n]]");
    }

    @Test
    void theNameOfAServerDoesNotLeaveItsComment() {
        String draft = RulesDraft.of(new ToolList("x\ntools: {}\n", List.of(), List.of()));
        assertThat(draft.lines()).hasSize(5);
    }

    @Test
    void aLongDescriptionIsShortened() {
        String draft = draft(tool("pay", "word ".repeat(1_000), List.of()));
        assertThat(draft.lines().toList().get(5)).hasSizeLessThan(110).endsWith("…");
    }

    @Test
    void aServerWithoutToolsHasADraftToo() {
        assertThat(McpRules.parse(RulesDraft.of(new ToolList("", List.of(), List.of())), "draft")
                        .tools()
                        .names())
                .isEmpty();
    }

    @Test
    void aSchemaOfAnyFormIsTaken() {
        for (Object schema :
                List.of("text", List.of(), Map.of("required", "to"), Map.of("required", List.of(1, Map.of())))) {
            assertThat(draft(Map.of("name", "pay", "inputSchema", schema, "annotations", "none", "title", 7)))
                    .contains("  pay:\n    side_effect: write\n")
                    .doesNotContain("identity");
        }
    }

    @Test
    void aKeyThatAModelMakesIsNoPartOfASuggestedIdentity() {
        assertThat(draft(tool("pay", "", List.of("to", "idempotency_key", "to"))))
                .contains("# identity: [to]\n");
    }
}
