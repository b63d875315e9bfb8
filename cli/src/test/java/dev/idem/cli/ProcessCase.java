package dev.idem.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** {@code idem} as processes, in a home of the test's own, where commands leave one line for each effect. */
abstract class ProcessCase {
    @TempDir
    Path home;

    Idems idems;

    @BeforeEach
    void openHome() {
        idems = new Idems(home);
    }

    @AfterEach
    void endProcesses() {
        idems.close();
    }

    /** The lines of the file {@code effects}. */
    List<String> effects() {
        Path effects = home.resolve("effects");
        try {
            return Files.exists(effects) ? Files.readAllLines(effects) : List.of();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
