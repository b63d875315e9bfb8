package dev.idem.packages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.cli.Resident;
import dev.idem.lab.RedisProcess;
import dev.idem.testkit.MemoryFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The package for Python: its own tests, the harness of the protocol, its types and its style. */
@Timeout(1200)
class PythonIT {
    private static final Path PACKAGE = Programs.ROOT.resolve("clients/python");
    private static final Path DOCUMENTS = Programs.ROOT.resolveSibling("shared/founding");

    // The path of a socket has at most 106 bytes.
    @TempDir(factory = MemoryFolder.class)
    Path home;

    private String python;
    private Programs programs;

    @BeforeEach
    void requirePython() {
        python = Programs.python();
        programs = new Programs(home).with("PYTHONPATH", PACKAGE.resolve("src").toString());
    }

    @Test
    @SuppressWarnings("try") // It serves as long as it is open.
    void itsTestsPass() throws Exception {
        Path folder = Files.createDirectory(home.resolve("redis"));
        String[] durable = {"--appendonly", "yes", "--appendfsync", "always"};
        if (Files.isDirectory(DOCUMENTS)) {
            programs.with("IDEM_FOUNDING", DOCUMENTS.toString());
        }
        if (Programs.isThorough()) {
            programs.with("IDEM_LONG", "1");
        }
        try (var redis = RedisProcess.start(RedisProcess.bundled(folder), folder, durable);
                Resident resident = programs.resident()) {
            programs.with("IDEM_TEST_REDIS", redis.url());
            String said = programs.run(PACKAGE, python, "-m", "unittest", "discover", "-s", "tests", "-t", ".", "-v");
            assertThat(said).contains("OK");
            said.lines().filter(line -> line.contains("... skipped")).forEach(System.out::println);
        }
    }

    @Test
    void theHarnessFindsNothing() throws Exception {
        programs.conforms(PACKAGE, python, "conformance/driver.py");
    }

    @Test
    void itsTypesAndItsStyleAreRight() throws Exception {
        assumeTrue(
                programs.end(home, java.util.List.of(python, "-m", "mypy", "--version"))
                                .exit()
                        == 0,
                "mypy is not here");
        programs.run(
                PACKAGE,
                python,
                "-m",
                "mypy",
                "--strict",
                "--cache-dir",
                Path.of("target", "mypy").toAbsolutePath().toString(),
                "src");
        assumeTrue(Programs.isThere("pyflakes3"), "pyflakes3 is not here");
        programs.run(PACKAGE, "pyflakes3", "src", "tests", "conformance");
    }
}
