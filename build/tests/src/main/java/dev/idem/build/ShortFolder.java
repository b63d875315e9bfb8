package dev.idem.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Creates the temporary folder of a test where its path is short, wherever the checkout lies: the path of a unix socket
 * has at most 107 bytes.
 */
public final class ShortFolder implements TempDirFactory {
    private static final Path SHORT = Path.of("/tmp");

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
        return Files.isWritable(SHORT) ? Files.createTempDirectory(SHORT, "idem-") : Files.createTempDirectory("idem-");
    }
}
