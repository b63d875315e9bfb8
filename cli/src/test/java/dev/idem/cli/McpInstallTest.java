package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.cli.InProcess.Ran;
import dev.idem.cli.around.OutputStyle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class McpInstallTest {
    private static final String FILE = """
            {
              // mine
              "mcpServers": {
                "mail": {"command": "sh", "args": ["server.js", "--token", "s3cret"], "env": {"KEY": "s3cret"}},
                "search": {"url": "https://example.com/mcp?key=s3cret"},
              }
            }
            """;

    @TempDir
    Path folder;

    private InProcess shell;
    private Path home;
    private Path idem;

    @BeforeEach
    void open() throws IOException {
        home = Files.createDirectories(folder.resolve("home"));
        Path project = Files.createDirectories(folder.resolve("project"));
        shell = new InProcess(project);
        shell.style = OutputStyle.plain();
        shell.env.put("HOME", home.toString());
        idem = launcher(shell, folder);
    }

    /** Puts a file into the PATH that stands for the launcher: these tests run without one. */
    static Path launcher(InProcess shell, Path folder) throws IOException {
        Path idem = Files.createDirectories(folder.resolve("bin")).resolve("idem");
        Files.writeString(idem, "#!/bin/sh\n");
        assertThat(idem.toFile().setExecutable(true)).isTrue();
        shell.env.put("PATH", idem.getParent() + ":" + shell.env.get("PATH"));
        return idem;
    }

    private Path file(String name) throws IOException {
        return file(name, FILE);
    }

    private Path file(String name, String text) throws IOException {
        Path file = home.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private Ran install(String... words) {
        return shell.idem(
                Stream.concat(Stream.of("mcp", "install"), Stream.of(words)).toArray(String[]::new));
    }

    private static List<Path> backups(Path file) throws IOException {
        try (Stream<Path> files = Files.list(file.getParent())) {
            return files.filter(each -> !each.equals(file)).sorted().toList();
        }
    }

    @Test
    void theFileIsChangedAndTheOldOneIsKept() throws IOException {
        Path file = file(".cursor/mcp.json");
        Ran ran = install("--yes", "--text");

        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(Files.readString(file))
                .isEqualTo(FILE.replace(
                        "\"sh\", \"args\": [",
                        "\"" + idem
                                + "\", \"args\": [\"mcp\", \"--name\", \"mail\", \"--trust-hints\", \"--\", \"sh\", "));
        assertThat(backups(file)).hasSize(1).allMatch(each -> each.toString().contains("mcp.json.idem-backup-"));
        assertThat(Files.readString(backups(file).get(0))).isEqualTo(FILE);
        assertThat(ran.out())
                .contains("changed " + file + ": mail. Backup: " + backups(file).get(0));
        assertThat(ran.err()).contains("start the host again", "idem mcp rules drafts such a file");

        assertThat(install("--yes").data()).containsEntry("effect", "noop");
        assertThat(backups(file)).hasSize(1);

        assertThat(install("--yes", "--undo").data()).containsEntry("effect", "updated");
        assertThat(Files.readString(file)).isEqualTo(FILE);
        assertThat(backups(file)).hasSize(2);
        assertThat(install("--yes", "--undo").data()).containsEntry("effect", "noop");
    }

    @Test
    void nothingSecretIsShown() throws IOException {
        file(".cursor/mcp.json");
        shell.style = new OutputStyle(true, false, false);
        for (String[] words :
                List.of(new String[] {"--dry-run"}, new String[] {}, new String[] {"--yes"}, new String[] {"--undo"})) {
            Ran ran = install(words);
            assertThat(ran.out() + ran.err()).doesNotContain("s3cret").contains("mail");
        }
    }

    @Test
    void aDryRunShowsTheChangesAndMakesNone() throws IOException {
        Path file = file(".cursor/mcp.json");
        Ran ran = install("--dry-run", "--text");
        assertThat(ran.exit()).isZero();
        assertThat(ran.out()).isEqualTo("""
                %s
                  mail
                  - "command": "sh", "args": [… 3 arguments]
                  + "command": "%s", "args": ["mcp", "--name", "mail", "--trust-hints", "--", "sh", … 3 arguments]
                  left alone: search (it has a url)
                """.formatted(file, idem));
        assertThat(Files.readString(file)).isEqualTo(FILE);
        Map<String, Object> data = install("--dry-run").data();
        assertThat(data).containsEntry("effect", "would_update").containsEntry("changes", List.of(file + ": mail"));
        assertThat(backups(file)).isEmpty();
    }

    @Test
    void withoutATerminalAndWithoutYesNothingIsChanged() throws IOException {
        Path file = file(".cursor/mcp.json");
        shell.stdin = "y\n".getBytes(StandardCharsets.UTF_8);
        Ran ran = install();
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.error()).containsEntry("code", "CONFIRMATION");
        assertThat(ran.err()).contains("  - \"command\": \"sh\"");
        assertThat(Files.readString(file)).isEqualTo(FILE);
        assertThat(backups(file)).isEmpty();
    }

    @Test
    void everyHostIsFound() throws IOException {
        List<Path> files = List.of(
                file(".config/Claude/claude_desktop_config.json"),
                file(".claude.json"),
                file("../project/.mcp.json"),
                file(".cursor/mcp.json"),
                file("../project/.cursor/mcp.json"),
                file(".config/Code/User/mcp.json", FILE.replace("mcpServers", "servers")),
                file("../project/.vscode/mcp.json", FILE.replace("mcpServers", "servers")));
        assertThat((List<?>) install("--dry-run").data().get("changes")).hasSameSizeAs(files);
        assertThat((List<?>)
                        install("--dry-run", "--host", "claude-code").data().get("changes"))
                .hasSize(2);
        assertThat((List<?>) install("--dry-run", "--file", files.get(0).toString())
                        .data()
                        .get("changes"))
                .hasSize(1);
        assertThat(install("--yes").exit()).isZero();
        for (Path file : files) {
            assertThat(file).content().contains("\"--name\", \"mail\"");
        }
    }

    @Test
    void whereNoFileIsThePlacesAreNamed() throws IOException {
        Ran ran = install("--yes");
        assertThat(ran.exit()).isEqualTo(5);
        assertThat(ran.error().get("message").toString())
                .contains(
                        home + "/.config/Claude/claude_desktop_config.json",
                        home + "/.claude.json",
                        "/.vscode/mcp.json");
        assertThat(install("--yes", "--file", "nowhere.json").exit()).isEqualTo(5);
        shell.env.remove("HOME");
        assertThat(install("--yes").exit()).isEqualTo(2);
        try (Stream<Path> files = Files.walk(home)) {
            assertThat(files).containsExactly(home);
        }
    }

    @Test
    void oneMalformedFileStoppedAllOthers() throws IOException {
        Path good = file(".cursor/mcp.json");
        Path bad = file(".config/Code/User/mcp.json", "{\"servers\": {\"m\": {\"command\": \"s3cret\"");
        assertThat(install("--dry-run").data()).containsEntry("effect", "would_update");
        Ran ran = install("--yes");

        assertThat(ran.exit()).isEqualTo(3);
        assertThat(ran.data()).containsEntry("effect", "updated");
        assertThat(ran.error().get("message").toString())
                .contains(bad + " is no JSON: line 1: the file ends too early. It was not changed")
                .doesNotContain("s3cret");
        assertThat(good).content().contains("--name");

        Files.write(bad, new byte[] {'{', '}', (byte) 0xff});
        Ran again = install("--yes");
        assertThat(again.exit()).isEqualTo(1);
        assertThat(again.error()).containsEntry("code", "MALFORMED");
        assertThat(again.error().get("message").toString()).contains("is no text in UTF-8");
    }

    @Test
    void aReadOnlyFileWasReplaced() throws IOException {
        Path file = file(".cursor/mcp.json");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
        assertThat(install("--dry-run").exit()).as("the plan knows it").isEqualTo(7);
        Ran ran = install("--yes");

        assertThat(ran.exit()).isEqualTo(7);
        assertThat(ran.error().get("message").toString()).contains(file + " can't be", "it is read-only");
        assertThat(file).hasContent(FILE);
        assertThat(backups(file)).isEmpty();
    }

    @Test
    void theFileKeepsItsPermissionsAndALinkStaysOne() throws IOException {
        Path file = file("dotfiles/cursor.json");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        Path link = home.resolve(".cursor/mcp.json");
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, Path.of("../dotfiles/cursor.json"));

        assertThat(install("--yes").exit()).isZero();

        assertThat(Files.isSymbolicLink(link)).isTrue();
        assertThat(file).content().contains("--name");
        for (Path each : List.of(file, backups(file).get(0))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each, LinkOption.NOFOLLOW_LINKS)))
                    .isEqualTo("rw-r-----");
        }
    }

    @Test
    void serversAreChosenByName() throws IOException {
        Path file = file(".cursor/mcp.json");
        Ran ran = install("--yes", "--server", "mail", "--server", "nobody");
        assertThat(ran.exit()).isEqualTo(5);
        assertThat(ran.error().get("message").toString()).contains("there is no server 'nobody' in " + file);
        assertThat(install("--yes", "--server", "search").data()).containsEntry("effect", "noop");
        assertThat(file).hasContent(FILE);
        assertThat(install("--yes", "--server", "mail").data()).containsEntry("effect", "updated");
    }

    @Test
    void twoServersOfOneNameAreWarnedAbout() throws IOException {
        file(".cursor/mcp.json");
        file(".claude.json");
        assertThat(install("--yes").err()).doesNotContain("warning");
        install("--yes", "--undo");
        file(".claude.json", FILE.replace("server.js", "other.js"));
        assertThat(install("--yes").err()).contains("warning: 'mail' names two servers that differ");
    }

    @Test
    void aCallWithAKeyHappensOnceAndKnowsItsServers() throws IOException {
        file(".cursor/mcp.json");
        String[] line = {"--yes", "--idempotency-key", "i-1", "--server", "mail"};
        assertThat(install(line).data()).containsEntry("effect", "updated");
        assertThat(install(line).meta()).containsEntry("idempotency_hit", true);
        line[4] = "search";
        assertThat(install(line).exit()).isEqualTo(6);
    }

    @Test
    void whatAHostStartsIsTheGuard() throws IOException {
        Path file = file(".cursor/mcp.json");
        install("--yes");
        Map<?, ?> server = (Map<?, ?>) ((Map<?, ?>) ((Map<?, ?>) dev.idem.Json.parse(
                                Files.readString(file).replace("// mine", "").replace("},\n  }", "}\n  }")))
                        .get("mcpServers"))
                .get("mail");
        List<String> words =
                ((List<?>) server.get("args")).stream().map(String::valueOf).toList();
        Ran guard = shell.idem(Stream.concat(Stream.of("mcp", "--dry-run"), words.subList(1, words.size()).stream())
                .toArray(String[]::new));
        assertThat(guard.err()).contains("the server 'mail' can be guarded");
    }
}
