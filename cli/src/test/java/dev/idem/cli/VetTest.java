package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.agent.tool.Guarded;
import dev.idem.call.SideEffect;
import dev.idem.cli.InProcess.Ran;
import dev.idem.cli.around.Looks;
import dev.idem.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code idem vet}. */
class VetTest {
    private static final String MCP = """
            {"tools": [
              {"name": "delete_user", "annotations": {"readOnlyHint": true},
               "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}}},
              {"name": "get_user", "annotations": {"readOnlyHint": true},
               "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}}}
            ]}
            """;

    @TempDir
    Path folder;

    private InProcess shell;

    @BeforeEach
    void open() throws IOException {
        shell = new InProcess(folder);
        shell.looks = Looks.plain();
        Files.writeString(folder.resolve("tools.json"), MCP);
    }

    /** What destroys without anybody's word: a warning. */
    static final class Planted {
        @Guarded(SideEffect.DESTRUCTIVE)
        String dropTable(String table) {
            return table;
        }
    }

    private static byte[] code(String file) throws IOException {
        try (InputStream in = VetTest.class.getResourceAsStream("/" + file)) {
            return in.readAllBytes();
        }
    }

    private void plant() throws IOException {
        String file = Planted.class.getName().replace('.', '/') + ".class";
        Path classes = folder.resolve("classes");
        Files.createDirectories(classes.resolve(file).getParent());
        Files.write(classes.resolve(file), code(file));
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(folder.resolve("tools.jar")))) {
            jar.putNextEntry(new JarEntry(file));
            jar.write(code(file));
        }
    }

    @Test
    void aListOfToolsIsCheckedAndABuildIsEnded() {
        Ran ran = shell.idem("vet", "tools.json");
        assertThat(ran.exit()).as(ran.out()).isEqualTo(1);
        assertThat(ran.error()).containsEntry("code", "findings").containsEntry("retryable", false);
        assertThat(ran.data()).containsEntry("tools", 2L).containsEntry("effect", "noop");
        assertThat((List<?>) ran.data().get("findings"))
                .anySatisfy(finding -> assertThat((Map<?, ?>) finding)
                        .extracting("rule", "tool", "severity")
                        .containsExactly("read-that-acts", "delete_user", "error"));
    }

    @Test
    void howBadItMayBeIsForTheCallerToSay() throws IOException {
        plant();
        assertThat(shell.idem("vet", "classes").exit()).isZero();
        assertThat(shell.idem("vet", "classes", "--fail-on", "warning").exit()).isEqualTo(1);
        assertThat(shell.idem("vet", "tools.json", "--fail-on", "never").exit()).isZero();
    }

    @Test
    void aFolderAJarAndAListAreCheckedTogether() throws IOException {
        plant();
        Ran ran = shell.idem("vet", "classes", "tools.jar", "tools.json", "--text");
        assertThat(ran.out()).contains("dropTable  [destructive-without-approval]", "4 tools checked: 1 error");
    }

    @Test
    void codeHostsGetSarif() {
        Ran ran = shell.idem("vet", "tools.json", "--sarif");
        assertThat(ran.exit()).isEqualTo(1);
        assertThat((Map<?, ?>) Json.parse(ran.stdout())).extracting("version").isEqualTo("2.1.0");
        assertThat(shell.idem("vet", "tools.json", "--sarif", "--json").exit()).isEqualTo(2);
    }

    @Test
    void whatCanNotBeCheckedIsNotCalledWell() throws IOException {
        assertThat(shell.idem("vet", "nowhere.json").exit()).isEqualTo(5);
        assertThat(shell.idem("vet").exit()).isEqualTo(2);
        Files.writeString(folder.resolve("torn.json"), "{\"tools\": [");
        assertThat(shell.idem("vet", "tools.json", "torn.json")
                        .error()
                        .get("message")
                        .toString())
                .contains("'torn.json' is not strict JSON");
        Files.writeString(folder.resolve("tools.txt"), "");
        assertThat(shell.idem("vet", "tools.txt").exit()).isEqualTo(2);
    }
}
