package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.cli.InProcess.Ran;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The zip that {@code mvn package} makes. */
class DistributionIT extends ProcessCase {
    private Path root;

    @BeforeEach
    void unpack() throws IOException {
        Path zip = null;
        try (DirectoryStream<Path> zips = Files.newDirectoryStream(Path.of("target"), "idem-*.zip")) {
            for (Path each : zips) {
                zip = each;
            }
        }
        assumeTrue(zip != null, "the zip is not built; run the package phase first");
        root = unzip(zip);
        idems.with("XDG_CACHE_HOME", home.resolve("cache").toString())
                .with("JAVA_HOME", System.getProperty("java.home"));
    }

    private Path unzip(Path zip) throws IOException {
        Path top = null;
        try (InputStream in = Files.newInputStream(zip);
                ZipInputStream entries = new ZipInputStream(in)) {
            for (ZipEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
                Path to = home.resolve(entry.getName()).normalize();
                assertThat(to.startsWith(home)).isTrue();
                top = top == null ? home.resolve(home.relativize(to).getName(0)) : top;
                if (entry.isDirectory()) {
                    Files.createDirectories(to);
                } else {
                    Files.createDirectories(to.getParent());
                    Files.copy(entries, to);
                }
            }
        }
        assertThat(top.resolve("bin/idem").toFile().setExecutable(true)).isTrue();
        return top;
    }

    private Ran idem(String... words) {
        List<String> command = new ArrayList<>(List.of(root.resolve("bin/idem").toString()));
        command.addAll(List.of(words));
        return idems.start(Redirect.from(new File("/dev/null")), command).end();
    }

    @Test
    @Tag("proof")
    void runsWithoutMavenOnEveryLedgerThatNeedsNoServer() {
        idems.with("PATH", "/usr/bin:/bin");
        for (String ledger : List.of("sqlite:idem.db", "jsonl:idem.jsonl")) {
            for (int i = 0; i < 2; i++) {
                Ran ran = idem(
                        "run",
                        "--key",
                        "k",
                        "--ledger",
                        ledger,
                        "--",
                        "sh",
                        "-c",
                        "echo x >>" + ledger.substring(0, 5) + "; echo out");
                assertThat(ran.out()).as(ran.err()).isEqualTo("out\n");
            }
        }
        assertThat(home.resolve("sqlit")).hasContent("x");
        assertThat(home.resolve("jsonl")).hasContent("x");
        assertThat(idem("run", "--key", "k", "--ledger", "memory:", "--", "echo", "out")
                        .out())
                .isEqualTo("out\n");
        for (String server : List.of("postgresql://127.0.0.1:1/x", "redis://127.0.0.1:1", "http+unix:none.sock")) {
            Ran ran = idem("run", "--key", "k", "--ledger", server, "--", "echo", "out");
            assertThat(ran.exit()).as(ran.err()).isEqualTo(83);
        }
    }

    @Test
    void bringsItsPapers() {
        assertThat(root.resolve("share/man/man1/idem.1"))
                .content()
                .contains(".SS batch")
                .contains("\\-\\-failed\\-exits");
        assertThat(root.resolve("share/bash-completion/completions/idem"))
                .content()
                .contains("complete -o default");
        assertThat(root.resolve("share/zsh/site-functions/_idem")).isNotEmptyFile();
        assertThat(root.resolve("share/fish/vendor_completions.d/idem.fish")).isNotEmptyFile();
        assertThat(root.resolve("LICENSE")).isNotEmptyFile();
    }
}
