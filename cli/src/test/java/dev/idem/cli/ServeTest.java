package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.cli.InProcess.Ran;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServeTest {
    @TempDir
    Path folder;

    private InProcess shell;

    @BeforeEach
    void open() {
        shell = new InProcess(folder);
    }

    @Test
    void aDryRunStartsNoServer() {
        Ran ran = shell.idem("serve", "--dry-run");
        assertThat(ran.exit()).isZero();
        assertThat(ran.out() + ran.err()).endsWith("can be served\n");
        assertThat(folder.resolve("s.sock")).doesNotExist();
    }

    @Test
    void aSocketThatCantBeMadeIsAnError() {
        Ran ran = shell.idem("serve", "--socket", "x".repeat(120));
        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.err()).contains("give a shorter one");
    }
}
