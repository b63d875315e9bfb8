package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
class SqliteNativeTest {
    @TempDir
    Path folder;

    @AfterEach
    void forgetLibrary() {
        System.clearProperty("org.sqlite.lib.path");
        System.clearProperty("org.sqlite.lib.name");
    }

    @Test
    void the_library_is_unpacked_once_for_the_owner_alone() throws IOException {
        Path cache = folder.resolve("cache/idem");
        Path library = unpack(cache);
        assertThat(Files.size(library)).isGreaterThan(100_000);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cache)))
                .isEqualTo("rwx------");
        FileTime old = FileTime.from(Instant.EPOCH);
        Files.setLastModifiedTime(library, old);
        assertThat(unpack(cache)).isEqualTo(library);
        assertThat(Files.getLastModifiedTime(library)).isEqualTo(old);
        assertThat(names(library.getParent()))
                .containsExactly(library.getFileName().toString());
    }

    @Test
    void a_damaged_library_is_replaced() throws IOException {
        Path library = unpack(folder);
        byte[] whole = Files.readAllBytes(library);
        byte[] damaged = whole.clone();
        damaged[damaged.length / 2] ^= 1;
        Files.write(library, damaged);
        unpack(folder);
        assertThat(Files.readAllBytes(library)).isEqualTo(whole);
    }

    @Test
    void a_folder_that_others_can_write_is_refused() throws IOException {
        Path library = unpack(folder);
        Files.setPosixFilePermissions(library.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> unpack(folder))
                .isInstanceOf(UncheckedIOException.class)
                .rootCause()
                .hasMessageContaining("can be written by others");
    }

    @Test
    void a_library_that_was_chosen_already_stays() {
        System.setProperty("org.sqlite.lib.path", "/somewhere");
        SqliteNative.unpackTo(folder);
        assertThat(System.getProperty("org.sqlite.lib.path")).isEqualTo("/somewhere");
        assertThat(folder).isEmptyDirectory();
    }

    private Path unpack(Path cache) {
        forgetLibrary();
        SqliteNative.unpackTo(cache);
        return Path.of(System.getProperty("org.sqlite.lib.path"), System.getProperty("org.sqlite.lib.name"));
    }

    private static List<String> names(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
