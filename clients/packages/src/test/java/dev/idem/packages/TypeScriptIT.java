package dev.idem.packages;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.cli.Resident;
import dev.idem.testkit.MemoryFolder;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The package for TypeScript, compiled in a copy: its own tests, the harness of the protocol, its types and its style. */
@Timeout(1200)
class TypeScriptIT {
    private static final Path COPY = TypeScriptPackage.FOLDER;

    // The path of a socket has at most 106 bytes.
    @TempDir(factory = MemoryFolder.class)
    Path home;

    private Programs programs;

    @BeforeEach
    void requireNode() {
        TypeScriptPackage.require();
        programs = new Programs(home);
        if (Programs.isThorough()) {
            programs.with("IDEM_LONG", "1");
        }
    }

    @Test
    @SuppressWarnings("try") // It serves as long as it is open.
    void itsTestsPass() throws Exception {
        try (Resident resident = programs.resident()) {
            programs.run(COPY, "npm", "test");
        }
    }

    /** With the real packages, which npm fetches once. */
    @Test
    void everyFrameworkRunsAToolOnce() throws Exception {
        TypeScriptPackage.requireFrameworks();
        String said = programs.with("HOME", System.getProperty("user.home"))
                .with("IDEM_FRAMEWORKS", TypeScriptPackage.FRAMEWORKS.toString())
                .run(COPY, "npm", "run", "frameworks");
        assumeTrue(!said.contains("SKIPPED"), said);
    }

    @Test
    void theHarnessFindsNothing() throws Exception {
        programs.conforms(COPY, "node", "dist/conformance/driver.js");
    }

    /** With wrong types it would not have been compiled: that reads the same settings as {@code npm run check}. */
    @Test
    void itsTypesAndItsStyleAreRight() throws Exception {
        programs.run(COPY, COPY.resolve("node_modules/.bin/biome").toString(), "check", ".");
    }
}
