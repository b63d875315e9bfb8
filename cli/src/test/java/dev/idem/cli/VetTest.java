package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Json;
import dev.idem.SideEffect;
import dev.idem.agent.tool.Once;
import dev.idem.cli.InProcess.Ran;
import dev.idem.cli.around.OutputStyle;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code idem vet}, and what {@code idem score} asks first. */
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
        shell.style = OutputStyle.plain();
        Files.writeString(folder.resolve("tools.json"), MCP);
    }

    /** What destroys without anybody's word: a warning. */
    static final class Planted {
        @Once(SideEffect.DESTRUCTIVE)
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

    /** They were taken for reads, so their tag was believed. */
    @ParameterizedTest
    @ValueSource(strings = {"increment_counter", "do_it", "ensureTopicExists", "decrease_limit", "confirm_booking"})
    void aReadWithANameThatActsIsFound(String name) throws IOException {
        Files.writeString(folder.resolve("tools.json"), MCP.replace("delete_user", name));
        assertThat((List<?>) shell.idem("vet", "tools.json").data().get("findings"))
                .anySatisfy(finding -> assertThat((Map<?, ?>) finding)
                        .extracting("rule", "tool")
                        .containsExactly("read-that-acts", name));
    }

    @Test
    void aListOfToolsIsCheckedAndABuildIsEnded() {
        Ran ran = shell.idem("vet", "tools.json");
        assertThat(ran.exit()).as(ran.out()).isEqualTo(1);
        assertThat(ran.error()).containsEntry("code", "FINDINGS").containsEntry("retryable", false);
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

    @Test
    void aScoreThatNobodyAgreedToIsRefusedInALineOfItsOwn() {
        Ran ran = shell.idem("score", "--text", "--", "echo", "1");
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err()).contains("Type yes to go on: \nidem: it runs a command for real");
    }

    /** Can't be looked at where its superclass is missing. */
    static final class Lacking extends LackedByAll {
        @Once(SideEffect.WRITE)
        String send(String to) {
            return to;
        }
    }

    /** Another one. */
    static final class LackingToo extends LackedByAll {}

    /** What both need, and nobody brings. */
    static class LackedByAll {}

    /** A folder or a jar that can't be read was told with the name of an exception. */
    @Test
    void whatCanNotBeReadIsUsage() throws IOException {
        Files.writeString(folder.resolve("broken.jar"), "no jar");
        Ran ran = shell.idem("vet", "broken.jar");
        assertThat(ran.exit()).as(ran.out()).isEqualTo(2);
        assertThat(ran.error()).containsEntry("code", "USAGE");
        assertThat(ran.error().get("message").toString())
                .contains("'broken.jar' can't be read")
                .doesNotContain("Exception");
    }

    @Test
    void whereThereIsNoToolNothingPasses() throws IOException {
        Files.createDirectory(folder.resolve("empty"));
        Ran ran = shell.idem("vet", "empty");
        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.error()).containsEntry("code", "NO_TOOLS");
        assertThat(ran.error().get("fix_required").toString()).contains("a jar", ".json list");
        assertThat(shell.idem("vet", "empty", "--fail-on", "never").exit()).isEqualTo(1);
        Files.writeString(folder.resolve("none.json"), "[]");
        assertThat(shell.idem("vet", "none.json", "--text").err()).contains("no tool was checked: there is none in");
        assertThat(shell.idem("vet", "empty", "tools.json", "--fail-on", "never")
                        .exit())
                .isZero();
    }

    @Test
    void classesThatLackTheSameAreToldOnce() throws IOException {
        renamed(folder.resolve("lacking"), Lacking.class);
        renamed(folder.resolve("lacking"), LackingToo.class);
        Ran ran = shell.idem("vet", "lacking", "--text");
        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.err()).contains("no tool was checked: what is there could not be read in lacking");
        assertThat(ran.out())
                .contains("2 classes  [unreadable]  lacking")
                .containsOnlyOnce("for want of dev.idem.cli.VetTest$WantedByAll")
                .contains("fix: name the jars that it needs with --classpath");
    }

    @Test
    void whatClassesNeedMayBeElsewhere() throws IOException {
        renamed(folder.resolve("lacking"), Lacking.class);
        renamed(folder.resolve("libs"), LackedByAll.class);
        assertThat(shell.idem("vet", "lacking").exit()).isEqualTo(1);

        Ran ran = shell.idem("vet", "lacking", "--classpath", "libs");

        assertThat(ran.exit()).as(ran.out()).isZero();
        assertThat(ran.data()).as("what is beside it is not checked").containsEntry("tools", 1L);
        assertThat(((List<?>) ran.data().get("findings")).toString()).doesNotContain("unreadable");
    }

    /** The JVM drops annotations whose class it can't find, without a word. */
    @Test
    void theAnnotationsOfAFrameworkAreSeenWithItsJar() throws IOException {
        compile("libs", "dev/langchain4j/agent/tool/Tool.java", """
                package dev.langchain4j.agent.tool;
                @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
                public @interface Tool {}
                """);
        compile("agent", "shop/Shop.java", """
                package shop;
                public class Shop {
                    @dev.langchain4j.agent.tool.Tool
                    public void deleteUser(String id) {}
                }
                """);
        jar(folder.resolve("libs"), folder.resolve("jars/langchain4j.jar"));
        assertThat(shell.idem("vet", "agent").error()).containsEntry("code", "NO_TOOLS");

        for (String classpath : List.of("libs", "jars/*", "classes" + File.pathSeparator + "jars/langchain4j.jar")) {
            Files.createDirectories(folder.resolve("classes"));
            Ran ran = shell.idem("vet", "agent", "--classpath", classpath);
            assertThat(ran.data()).as(classpath).containsEntry("tools", 1L);
        }
    }

    @Test
    void aPartOfTheClassPathThatIsNotThereIsAnError() {
        Ran ran = shell.idem("vet", "tools.json", "--classpath", "lib");
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err() + ran.out()).contains("--classpath: 'lib' is nothing that can be read");
    }

    private void compile(String into, String file, String source) throws IOException {
        Path at = folder.resolve("src").resolve(file);
        Files.createDirectories(at.getParent());
        Files.writeString(at, source);
        int exit = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-cp",
                        folder.resolve("libs").toString(),
                        "-d",
                        Files.createDirectories(folder.resolve(into)).toString(),
                        at.toString());
        assertThat(exit).isZero();
    }

    private static void jar(Path classes, Path file) throws IOException {
        Files.createDirectories(file.getParent());
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file));
                Stream<Path> all = Files.walk(classes)) {
            for (Path one : all.filter(Files::isRegularFile).toList()) {
                jar.putNextEntry(new JarEntry(classes.relativize(one).toString()));
                jar.write(Files.readAllBytes(one));
            }
        }
    }

    /** Renamed in its constant pool, so that it can't be found on the test's own class path. */
    private static void renamed(Path into, Class<?> type) throws IOException {
        String file = type.getName().replace('.', '/') + ".class";
        Path at = into.resolve(renamed(file));
        Files.createDirectories(at.getParent());
        Files.writeString(
                at, renamed(new String(code(file), StandardCharsets.ISO_8859_1)), StandardCharsets.ISO_8859_1);
    }

    private static String renamed(String text) {
        return text.replace("LackedByAll", "WantedByAll").replace("Lacking", "Wanting");
    }
}
