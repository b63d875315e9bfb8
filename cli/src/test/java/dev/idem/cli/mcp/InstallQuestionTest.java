package dev.idem.cli.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.cli.around.OutputStyle;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.ArgumentParser;
import dev.idem.command.Answer;
import dev.idem.command.Signals;
import dev.idem.spi.Host;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A person at a terminal is asked before a file is changed. */
class InstallQuestionTest {
    private static final String FILE = "{\"mcpServers\": {\"mail\": {\"command\": \"sh\", \"args\": [\"s3cret\"]}}}\n";

    @TempDir
    Path home;

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Signals signals = new Signals(Thread.currentThread());
    private Path cursor;
    private Path claude;

    @BeforeEach
    void open() throws IOException {
        cursor = home.resolve(".cursor/mcp.json");
        claude = home.resolve(".claude.json");
        Files.createDirectories(cursor.getParent());
        Files.writeString(cursor, FILE);
        Files.writeString(home.resolve("idem"), "");
        assertThat(home.resolve("idem").toFile().setExecutable(true)).isTrue();
    }

    private Answer install(InputStream in, String... words) throws IOException {
        Map<String, String> env = Map.of("HOME", home.toString());
        Surroundings around = new Surroundings(
                () -> {},
                env,
                home,
                Redirect.PIPE,
                in,
                new ByteArrayOutputStream(),
                err,
                OutputStyle.plain(),
                (url, readOnly) -> {
                    throw new IllegalStateException("no ledger is needed");
                },
                Host.system(),
                signals,
                "./idem",
                System::nanoTime);
        return new InstallCommand(
                        around, ArgumentParser.parse(InstallCommand.COMMAND.syntax(), List.of(words), env), true)
                .run();
    }

    private Answer install(String typed) throws IOException {
        return install(new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)));
    }

    private String asked() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"y\n", "Y\n", " yes \n", "y"})
    void yesChangesTheFile(String typed) throws IOException {
        Answer answer = install(typed);
        assertThat(answer.exit()).isZero();
        assertThat(cursor)
                .content()
                .contains(
                        "\"command\": \"" + home.resolve("idem") + "\"",
                        "\"--name\", \"mail\", \"--trust-hints\", \"--\", \"sh\", \"s3cret\"");
        assertThat(asked())
                .startsWith(cursor + "\n  mail\n  - \"command\": \"sh\"")
                .contains("Change this file? [y/N] ")
                .doesNotContain("s3cret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"n\n", "\n", "", "yes please\n", "\u0004"})
    void anythingElseChangesNothing(String typed) throws IOException {
        Answer answer = install(typed);
        assertThat(answer.exit()).isEqualTo(1);
        assertThat(answer.error()).containsEntry("code", "DECLINED");
        assertThat(cursor).hasContent(FILE);
    }

    @Test
    void eachFileHasAQuestionOfItsOwn() throws IOException {
        Files.writeString(claude, FILE);
        Answer answer = install("n\ny\n");
        assertThat(answer.exit()).isZero();
        assertThat(claude).hasContent(FILE);
        assertThat(cursor).content().contains("--name");
        assertThat(Objects.requireNonNull(answer.data()).get("changes")).isEqualTo(List.of(cursor + ": mail"));
    }

    @Test
    void aSignalAtTheSecondQuestionLeavesTheFirstFileToo() throws IOException {
        Files.writeString(claude, FILE);
        InputStream in = new ByteArrayInputStream("y\n".getBytes(StandardCharsets.UTF_8)) {
            @Override
            public synchronized int read() {
                int next = super.read();
                if (next < 0) {
                    signals.receive("INT", 2);
                    Thread.interrupted();
                }
                return next;
            }
        };
        assertThat(install(in).text()).isEmpty();
        assertThat(signals.exitCode()).isEqualTo(130);
        assertThat(claude).hasContent(FILE);
        assertThat(cursor).hasContent(FILE);
    }

    @Test
    void anInterruptedQuestionChangesNothing() throws IOException {
        InputStream in = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new InterruptedIOException("ctrl-c");
            }
        };
        assertThat(Objects.requireNonNull(install(in).data())).containsEntry("effect", "noop");
        assertThat(asked()).endsWith("[y/N] \nidem: nothing was changed\n");
        assertThat(cursor).hasContent(FILE);
    }

    /** Hosts write their files too, while a person thinks. */
    private InputStream yesAfter(String from, String to) {
        return new ByteArrayInputStream("y\n".getBytes(StandardCharsets.UTF_8)) {
            @Override
            public synchronized int read() {
                try {
                    Files.writeString(cursor, Files.readString(cursor).replace(from, to));
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
                return super.read();
            }
        };
    }

    @Test
    void whatElseChangedMeanwhileIsKept() throws IOException {
        assertThat(install(yesAfter("{\"mcpServers\"", "{\"starts\": 7, \"mcpServers\""))
                        .exit())
                .isZero();
        assertThat(cursor)
                .content()
                .startsWith("{\"starts\": 7, \"mcpServers\"")
                .contains("--name");
    }

    @Test
    void aServerThatChangedMeanwhileIsNotChanged() throws IOException {
        Answer answer = install(yesAfter("\"sh\"", "\"bash\""));
        assertThat(answer.exit()).isEqualTo(4);
        assertThat(answer.error()).containsEntry("code", "CHANGED");
        assertThat(cursor).hasContent(FILE.replace("\"sh\"", "\"bash\""));
    }
}
