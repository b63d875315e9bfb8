package dev.idem.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * A temporary folder in memory where the system has one, for tests that make hundreds of ledgers and pull no plugs.
 */
public final class MemoryFolder implements TempDirFactory {
    private static final Path IN_MEMORY = Path.of("/dev/shm");

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
        return create();
    }

    /** Creates such a folder, which the caller removes. */
    public static Path create() throws IOException {
        return Files.isWritable(IN_MEMORY)
                ? Files.createTempDirectory(IN_MEMORY, "idem-")
                : Files.createTempDirectory("idem-");
    }
}
