package dev.idem.redis;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/** A server program that not every system has. */
final class RedisBinary {
    private static final Path SYSTEM = Path.of("/usr/bin/redis-server");

    private RedisBinary() {}

    /** Redis 7 or later, where the system has it; else the test is skipped. */
    static Path ofSystem() {
        assumeTrue(Files.isExecutable(SYSTEM), SYSTEM + " is not there: Redis 7 was not tested");
        return SYSTEM;
    }
}
