package dev.idem.redis;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import redis.embedded.core.ExecutableProvider;

/** The server programs the tests start. */
final class RedisBinary {
    private static final Path SYSTEM = Path.of("/usr/bin/redis-server");

    private RedisBinary() {}

    /** Redis 6.2, from a test dependency, unpacked into a folder. */
    static Path bundled(Path folder) {
        try {
            return ExecutableProvider.newJarResourceProvider(
                            Files.createDirectories(folder).toFile())
                    .get()
                    .toPath()
                    .toAbsolutePath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Redis 7 or later, where the system has it; else the test is skipped. */
    static Path ofSystem() {
        assumeTrue(Files.isExecutable(SYSTEM), SYSTEM + " is not there: Redis 7 was not tested");
        return SYSTEM;
    }
}
