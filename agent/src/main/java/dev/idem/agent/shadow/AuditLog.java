package dev.idem.agent.shadow;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** The log of a shadow run. */
@FunctionalInterface
public interface AuditLog {
    void add(AuditLine line);

    /** A log in memory, for tests. */
    static InMemory inMemory() {
        return new InMemory();
    }

    /** A log that appends a line of JSON to a file for each call. Only its owner can read a new file: arguments may be secret. */
    static AuditLog file(Path file) {
        return line -> {
            byte[] bytes = (line.json() + "\n").getBytes(StandardCharsets.UTF_8);
            try (FileChannel channel = FileChannel.open(
                    file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND), ownerOnly(file))) {
                channel.write(ByteBuffer.wrap(bytes));
            } catch (IOException e) {
                throw new UncheckedIOException("the audit line could not be written to " + file, e);
            }
        };
    }

    /** The lines of a file. */
    static List<AuditLine> read(Path file) throws IOException {
        try (var lines = Files.lines(file, StandardCharsets.UTF_8)) {
            return lines.filter(line -> !line.isBlank()).map(AuditLine::parse).toList();
        }
    }

    private static FileAttribute<?>[] ownerOnly(Path file) {
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    /** Lines in memory. */
    final class InMemory implements AuditLog {
        private final List<AuditLine> lines = new CopyOnWriteArrayList<>();

        private InMemory() {}

        @Override
        public void add(AuditLine line) {
            lines.add(line);
        }

        public List<AuditLine> lines() {
            return List.copyOf(lines);
        }
    }
}
