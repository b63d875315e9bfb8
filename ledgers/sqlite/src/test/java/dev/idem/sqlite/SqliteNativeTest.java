package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThatCode;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteNativeTest {
    @TempDir
    Path folder;

    @Test
    void theLibraryIsUnpackedOnceForTheOwnerAlone() throws IOException {
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
    void aDamagedLibraryIsReplaced() throws IOException {
        Path library = unpack(folder);
        byte[] whole = Files.readAllBytes(library);
        byte[] damaged = whole.clone();
        damaged[damaged.length / 2] ^= 1;
        Files.write(library, damaged);
        unpack(folder);
        assertThat(Files.readAllBytes(library)).isEqualTo(whole);
    }

    @Test
    void whatAKilledProcessLeftHalfUnpackedGoes() throws IOException {
        Path library = unpack(folder);
        Files.move(library, library.resolveSibling("unpacking-123.tmp"));
        unpack(folder);
        assertThat(names(library.getParent()))
                .containsExactly(library.getFileName().toString());
    }

    @Test
    void aLinkInItsPlaceIsReplaced() throws IOException {
        Path library = unpack(folder);
        Path planted = Files.move(library, folder.resolve("planted.so"));
        Files.createSymbolicLink(library, planted);
        unpack(folder);
        assertThat(library).isRegularFile();
        assertThat(Files.isSymbolicLink(library)).isFalse();
        assertThat(planted).exists();
    }

    @Test
    void aFolderThatOthersCanWriteIsRefused() throws IOException {
        Path library = unpack(folder);
        Files.setPosixFilePermissions(library.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> unpack(folder))
                .isInstanceOf(UncheckedIOException.class)
                .rootCause()
                .hasMessageContaining("can be written by others");
    }

    @Test
    void aFolderOfAnotherUserIsRefused() throws IOException {
        Path library = unpack(folder);
        Files.setOwner(library.getParent(), stranger());
        assertThatThrownBy(() -> unpack(folder))
                .isInstanceOf(UncheckedIOException.class)
                .rootCause()
                .hasMessageContaining("can be written by others");
    }

    @Test
    void aLibraryOfAnotherUserIsReplacedEvenIfItIsWhole() throws IOException {
        Path library = unpack(folder);
        Files.setOwner(library, stranger());
        unpack(folder);
        assertThat(Files.getOwner(library)).isEqualTo(Files.getOwner(folder));
    }

    @Test
    void theHomeOfAnotherUserIsRefusedAndStaysAsItIs() throws IOException {
        Path home = Files.createDirectory(folder.resolve("home"));
        Files.setOwner(home, stranger());
        assertThatThrownBy(() -> NativeCache.ofUser(Map.of("HOME", home.toString()), "/"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(home.toRealPath() + " belongs to");
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void aFolderAboveThatOthersCanWriteIsRefusedUnlessItIsSticky() throws IOException, InterruptedException {
        Path shared = Files.createDirectory(folder.resolve("shared"));
        Path home = Files.createDirectory(shared.resolve("home"));
        Map<String, String> env = Map.of("HOME", home.toString());
        assumeThatCode(() -> NativeCache.ofUser(env, ""))
                .as("the folders above are those of this user or of root")
                .doesNotThrowAnyException();
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxr-x"));
        assertThatThrownBy(() -> NativeCache.ofUser(env, ""))
                .isInstanceOf(IOException.class)
                .hasMessage(shared.toRealPath() + " can be written by others");
        Path link = Files.createSymbolicLink(folder.resolve("link"), home);
        assertThatThrownBy(() -> NativeCache.requireOurs(link)).hasMessageContaining("can be written by others");
        assertThat(new ProcessBuilder("chmod", "1777", shared.toString())
                        .start()
                        .waitFor())
                .isZero();
        assertThat(NativeCache.ofUser(env, "")).contains(home.resolve(".cache/idem"));
    }

    @Test
    void theCacheFolderIsFoundAsIdemFindsIt() throws IOException {
        String home = folder.toString();
        assumeThatCode(() -> NativeCache.ofUser(Map.of("HOME", home), ""))
                .as("the folders above belong to this user or to root")
                .doesNotThrowAnyException();
        Path usual = folder.resolve(".cache/idem");
        Path given = folder.resolve("given");
        assertThat(NativeCache.ofUser(Map.of("HOME", home), "/other")).contains(usual);
        assertThat(NativeCache.ofUser(Map.of(), home)).contains(usual);
        assertThat(NativeCache.ofUser(Map.of("XDG_CACHE_HOME", given.toString(), "HOME", home), ""))
                .contains(given.resolve("idem"));
        assertThat(NativeCache.ofUser(Map.of("XDG_CACHE_HOME", "relative", "HOME", home), ""))
                .contains(usual);
        assertThat(NativeCache.ofUser(Map.of(), "?")).isEmpty();
        assertThat(NativeCache.ofUser(Map.of("HOME", folder.resolve("missing").toString()), ""))
                .isEmpty();
    }

    private static Path unpack(Path cache) {
        return SqliteNative.unpackTo(cache).orElseThrow().resolve(System.mapLibraryName("sqlitejdbc"));
    }

    private UserPrincipal stranger() throws IOException {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can give files away");
        return folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
    }

    private static List<String> names(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
