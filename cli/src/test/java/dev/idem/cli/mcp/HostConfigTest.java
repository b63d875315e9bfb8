package dev.idem.cli.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostConfigTest {
    private static final Launcher IDEM = new Launcher(List.of("/opt/idem/bin/idem"));
    private static final Launcher JAVA = new Launcher(List.of("/jdk/bin/java", "-jar", "/opt/idem-cli.jar"));

    private static HostConfig.Plan plan(Launcher launcher, boolean undo, String... servers) {
        return new HostConfig.Plan(launcher, Set.of(servers), undo, "/home/ann/shop");
    }

    private static String installed(String json) throws Jsonc.Malformed {
        return HostConfig.of(json, plan(IDEM, false)).changed();
    }

    private static String undone(String json) throws Jsonc.Malformed {
        return HostConfig.of(json, plan(IDEM, true)).changed();
    }

    private static List<String> alone(String json) throws Jsonc.Malformed {
        return HostConfig.of(json, plan(IDEM, false)).steps().stream()
                .filter(step -> !step.changes())
                .map(step -> step.name() + ": " + step.why())
                .toList();
    }

    @Test
    void onlyTheCommandAndTheArgumentsChange() throws Jsonc.Malformed {
        assertThat(installed("""
                {
                  "theme" : "dark",
                  "mcpServers": {
                    "mail": {
                      "command": "node",
                      "args": ["/home/ann/server.js", "--all"],
                      "env": { "KEY": "s3cret" }
                    },
                    "search": { "url": "https://example.com/mcp" }
                  }
                }
                """)).isEqualTo("""
                {
                  "theme" : "dark",
                  "mcpServers": {
                    "mail": {
                      "command": "/opt/idem/bin/idem",
                      "args": ["mcp", "--name", "mail", "--trust-hints", "--", "node", "/home/ann/server.js", "--all"],
                      "env": { "KEY": "s3cret" }
                    },
                    "search": { "url": "https://example.com/mcp" }
                  }
                }
                """);
    }

    @Test
    void commentsAndTrailingCommasStay() throws Jsonc.Malformed {
        assertThat(installed("""
                // mine
                {
                  "servers": { /* all */
                    "mail": {
                      "args": [
                        // the server
                        "${workspaceFolder}/server.js", // its file
                      ],
                      "command": "node", // 22
                      "type": "stdio",
                    },
                    // "old": { "command": "x" },
                  },
                }""")).isEqualTo("""
                // mine
                {
                  "servers": { /* all */
                    "mail": {
                      "args": [
                        "mcp",
                        "--name",
                        "mail",
                        "--trust-hints",
                        "--",
                        "node",
                        // the server
                        "${workspaceFolder}/server.js", // its file
                      ],
                      "command": "/opt/idem/bin/idem", // 22
                      "type": "stdio",
                    },
                    // "old": { "command": "x" },
                  },
                }""");
    }

    @Test
    void aServerWithoutArgumentsGetsThem() throws Jsonc.Malformed {
        String guarded =
                "\"/opt/idem/bin/idem\", \"args\": [\"mcp\", \"--name\", \"m\", \"--trust-hints\", \"--\", \"x\" ]";
        assertThat(installed("{\"mcpServers\":{\"m\":{\"command\":\"x\"}}}"))
                .isEqualTo("{\"mcpServers\":{\"m\":{\"command\":" + guarded + "}}}");
        assertThat(installed("{\"mcpServers\":{\"m\":{\n\t\"command\":\"x\"\n}}}"))
                .isEqualTo("{\"mcpServers\":{\"m\":{\n\t\"command\":" + guarded.replace(", \"args", ",\n\t\"args")
                        + "\n}}}");
    }

    static List<String> files() {
        return List.of(
                "{\"mcpServers\":{\"without args\":{\"command\":\"x\"}}}",
                "{\"mcpServers\":{\"without args\":{\n\t\"command\": \"x\",\n\t\"env\": {}\n}}}",
                "{\"mcpServers\":{\"m\":{\"command\":\"x\", \"args\": []}}}",
                "{\"mcpServers\":{\"m\":{\"command\":\"x\", \"args\": [ ]}}}",
                "{\"mcpServers\":{\"m\":{\"command\":\"x\",\"args\":[]}}}",
                "{\"mcpServers\":{\"m\":{\"args\":[ ],\"command\":\"x\"}}}",
                "{\"mcpServers\":{\"m\":{\"command\":\"x\",\"args\":[\"a\"]}}}",
                "{\"mcpServers\":{\"m\":{\"command\":\"x\", \"args\": [\"a\" ]}}}",
                "{\"mcpServers\":{\"m\":{\"command\":\"x\",\"args\":[ \"a\" ,\"b\",]}}}",
                "\uFEFF{\r\n\t\"servers\" :\r\n{\"m\" : {\"command\" : \"x\" , \"args\" :\r\n[\r\n\t\"a\"\r\n,\t\"b\"\r\n]\r\n}\r\n}\r\n}",
                "{\"servers\":{\"m\":{\"command\":\"x\",\"args\":[ // c\n \"a\", /* d */ \"b\" // e\n]}}}",
                "{\"servers\":{\"m\":{\"command\":\"x\",\"args\":[ /* none */ ]}}}",
                "{\"servers\":{\"m\":{\"command\":\"C:\\\\Program Files\\\\n\\u006fde\",\"args\":[\"\\u00e9\", \"é \uD83D\uDCE7\"]}}}"
                        .replace("Program Files", "Programs"),
                "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"args\":[\"1\"]},\"b\":{\"command\":\"--\",\"args\":[\"--\"]}}}",
                "{\"projects\":{\"/home/ann/shop\":{\"mcpServers\":{\"m\":{\"command\":\"x\",\"args\":[\"a\"]}}}}}",
                "{\"mcpServers\":{\"it's \\\"odd\\\"\":{\"command\":\"mcp\",\"args\":[\"mcp\",\"--\",\"mcp\"]}}}");
    }

    @ParameterizedTest
    @MethodSource("files")
    void undoGivesTheSameCharacters(String file) throws Jsonc.Malformed {
        for (Launcher launcher : List.of(IDEM, JAVA)) {
            String installed = HostConfig.of(file, plan(launcher, false)).changed();
            assertThat(installed).isNotEqualTo(file).contains("\"--name\"");
            assertThat(HostConfig.of(installed, plan(launcher, true)).changed()).isEqualTo(file);
            // Another copy of this program recognizes the guard too.
            assertThat(HostConfig.of(installed, plan(launcher.equals(IDEM) ? JAVA : IDEM, true))
                            .changed())
                    .isEqualTo(file);
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void theSecondTimeChangesNothing(String file) throws Jsonc.Malformed {
        String installed = installed(file);
        assertThat(HostConfig.of(installed, plan(IDEM, false)).changes()).isEmpty();
        assertThat(HostConfig.of(installed, plan(JAVA, false)).changes()).isEmpty();
        assertThat(HostConfig.of(file, plan(IDEM, true)).changes()).isEmpty();
    }

    @Test
    void undoKeepsWhatTheUserHasChangedSince() throws Jsonc.Malformed {
        String edited = installed("{\"mcpServers\":{\"m\":{\"command\":\"x\",\"args\":[\"a\"]}}}")
                .replace("\"--\",", "\"--rules\", \"r.yaml\", \"--\",")
                .replace("\"a\"]", "\"a\", \"b\"], \"env\": {}");
        assertThat(undone(edited))
                .isEqualTo("{\"mcpServers\":{\"m\":{\"command\":\"x\",\"args\":[\"a\", \"b\"], \"env\": {}}}}");
    }

    /** These end like arguments that were added with the guard, but stand where it does not add them. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"command": "idem", "env": {}, "args": ["mcp", "--", "x" ]} | {"command": "x", "env": {}, "args": [ ]}
            {"args": ["mcp", "--", "x" ], "command": "idem"}            | {"args": [ ], "command": "x"}
            """)
    void undoTakesNothingButTheGuard(String server, String without) throws Jsonc.Malformed {
        assertThat(undone("{\"mcpServers\":{\"m\":" + server + "}}"))
                .isEqualTo("{\"mcpServers\":{\"m\":" + without + "}}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"url": "https://x"}                                          | it has a url
            {"command": "x", "url": "https://x"}                          | it has a url
            {"type": "http"}                                              | it has no command
            {"command": 7}                                                | its command is no text, or its args are no list of texts
            {"command": "x", "args": "a"}                                 | its command is no text, or its args are no list of texts
            {"command": "x", "args": ["a", 1]}                            | its command is no text, or its args are no list of texts
            {"command": "npx -y s3cret"}                                  | its command is a whole line; write the program into command and the rest into args first
            {"command": "idem", "args": ["mcp", "--", "x"]}               | it is guarded already
            {"command": "C:\\\\idem.cmd", "args": ["mcp", "--", "x"]}     | it is guarded already
            {"command": "java", "args": ["-jar", "/x/idem-cli-1.jar", "mcp", "--", "x"]} | it is guarded already
            7                                                             | it has no command
            """)
    void someServersAreLeftAlone(String server, String why) throws Jsonc.Malformed {
        assertThat(alone("{\"mcpServers\":{\"m\":" + server + "}}")).containsExactly("m: " + why);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "--", "a\\nb", "\\u0000"})
    void aNameThatTheGuardCantHaveIsLeftAlone(String name) throws Jsonc.Malformed {
        assertThat(alone("{\"mcpServers\":{\"" + name + "\":{\"command\":\"x\"}}}"))
                .hasSize(1)
                .allMatch(line -> line.contains("its name is empty, too long"));
    }

    /** These only look like a guard. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"command\":\"idem\",\"args\":[\"run\",\"--key\",\"mcp\",\"--\",\"x\"]}",
                "{\"command\":\"idem\",\"args\":[\"mcp\"]}",
                "{\"command\":\"idem\",\"args\":[\"mcp\",\"--\"]}",
                "{\"command\":\"idem\"}",
                "{\"command\":\"java\",\"args\":[\"-jar\",\"mcp\",\"--\",\"x\"]}",
                "{\"command\":\"java\",\"args\":[\"-jar\"]}",
                "{\"command\":\"npx\",\"args\":[\"mcp\",\"--\",\"x\"]}"
            })
    void otherCommandsAreGuarded(String server) throws Jsonc.Malformed {
        assertThat(installed("{\"mcpServers\":{\"m\":" + server + "}}"))
                .contains("\"--name\", \"m\", \"--trust-hints\", \"--\"");
    }

    @Test
    void serversAreChosenByName() throws Jsonc.Malformed {
        String json = "{\"mcpServers\":{\"a\":{\"command\":\"x\"},\"b\":{\"command\":\"x\"}}}";
        HostConfig config = HostConfig.of(json, plan(IDEM, false, "b"));
        assertThat(config.steps()).extracting(ServerEntry.Step::name).containsExactly("b");
        assertThat(config.changed()).contains("{\"a\":{\"command\":\"x\"},");
    }

    @Test
    void serversOfOtherProjectsAreNotTouched() throws Jsonc.Malformed {
        String json = "{\"projects\":{\"/home/ann/other\":{\"mcpServers\":{\"m\":{\"command\":\"x\"}}}}}";
        assertThat(HostConfig.of(json, plan(IDEM, false)).steps()).isEmpty();
    }

    @Test
    void argumentsAreNotShown() throws Jsonc.Malformed {
        String json =
                "{\"mcpServers\":{\"m\":{\"command\":\"x\",\"args\":[\"--key\",\"s3cret\"],\"env\":{\"K\":\"s3cret\"}}}}";
        ServerEntry.Step step = HostConfig.of(json, plan(IDEM, false)).steps().get(0);
        assertThat(step.before()).isEqualTo("\"command\": \"x\", \"args\": [… 2 arguments]");
        assertThat(step.after())
                .isEqualTo(
                        "\"command\": \"/opt/idem/bin/idem\", \"args\": [\"mcp\", \"--name\", \"m\", \"--trust-hints\", \"--\", \"x\", "
                                + "… 2 arguments]");
        String edited = installed(json).replace("\"--name\"", "\"--ledger\", \"s3cret\", \"--name\"");
        ServerEntry.Step undo = HostConfig.of(edited, plan(IDEM, true)).steps().get(0);
        assertThat(undo.before() + undo.after()).doesNotContain("s3cret").contains("… 2 arguments");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"mcpServers": {"m": {"command": "x"}}          | line 1: the file ends too early
            {"mcpServers": {"m": {"command": "s3cret}}}     | line 1: the file ends too early
            {"a": 1 "b": 2}                                 | line 1: a comma or '}' is missing
            {"a": s3cret}                                   | line 1: this is no JSON value
            {"a": "\\x s3cret"}                             | line 1: this is no JSON value
            {"a": 1, "a": 2}                                | line 1: a member is there twice
            {'a': 1}                                        | line 1: the name of a member is missing
            {"a" 1}                                         | line 1: a colon is missing
            {} {}                                           | line 1: there is more after the end of the value
            {} /* x                                         | line 1: a comment has no end
            """)
    void aMalformedFileIsRefusedWithoutShowingIt(String json, String message) {
        assertThatThrownBy(() -> HostConfig.of(json, plan(IDEM, false)))
                .isInstanceOf(Jsonc.Malformed.class)
                .hasMessage(message);
    }

    @Test
    void theLineOfAnErrorIsTold() {
        assertThatThrownBy(() -> Jsonc.parse("{\n\n  \"a\": tru\n}")).hasMessage("line 3: this is no JSON value");
        assertThatThrownBy(() -> Jsonc.parse("[".repeat(100_000))).hasMessage("line 1: it is nested too deeply");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \n", "{}", "[]", "7", "{\"mcpServers\": []}", "{\"servers\": null, \"projects\": 7}"})
    void aFileWithoutServersHasNothingToChange(String json) throws Jsonc.Malformed {
        assertThat(HostConfig.of(json, plan(IDEM, false)).steps()).isEmpty();
    }
}
