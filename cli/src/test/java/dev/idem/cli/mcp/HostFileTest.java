package dev.idem.cli.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostFileTest {
    private static final Instant NOW = Instant.parse("2026-11-17T10:15:00Z");

    @TempDir
    Path folder;

    @Test
    void noBackupTakesThePlaceOfAnother() throws IOException {
        Path path = Files.writeString(folder.resolve("mcp.json"), "one");
        HostFile file = HostFile.at(path);

        Path first = file.write(file.read(), "two", NOW);
        Path second = file.write(file.read(), "three", NOW);

        assertThat(first).hasContent("one");
        assertThat(second).hasContent("two").hasFileName(first.getFileName() + "-2");
        assertThat(path).hasContent("three");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactlyInAnyOrder(path, first, second);
        }
    }

    @Test
    void aFileThatCantBeReplacedStaysAndLeavesNothingBehind() throws IOException {
        Path path = Files.writeString(folder.resolve("mcp.json"), "one");
        HostFile file = HostFile.at(path);
        Files.delete(path);
        Files.createDirectory(path);
        Files.createFile(path.resolve("full"));

        assertThatThrownBy(() -> file.write("one", "two", NOW)).isInstanceOf(IOException.class);

        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).noneMatch(each -> each.getFileName().toString().startsWith(".idem-install-"));
        }
    }
}
