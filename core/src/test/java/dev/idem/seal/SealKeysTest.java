package dev.idem.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SealKeysTest {
    private static final String OLD = base64(1, 32);
    private static final String NEW = base64(2, 32);

    @TempDir
    Path folder;

    @BeforeEach
    void posix() {
        assumeTrue(
                folder.getFileSystem().supportedFileAttributeViews().contains("posix"),
                "this file system has no POSIX permissions");
    }

    private static String base64(int seed, int length) {
        byte[] key = new byte[length];
        for (int i = 0; i < length; i++) {
            key[i] = (byte) (seed * 31 + i * 7);
        }
        return Base64.getEncoder().encodeToString(key);
    }

    private Path file(String permissions, String text) throws IOException {
        Path file = folder.resolve("keys");
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        return file;
    }

    private static SealKeys parse(String text) {
        return SealKeyText.ofVariable("KEYS", Map.of("KEYS", text));
    }

    @Test
    void theFirstKeySealsAndAllOfThemRead() throws IOException {
        SealKeys keys = SealKeys.fromFile(
                file("rw-------", "# since November\n2026-11:" + NEW + "\r\n\n  2025-01 : " + OLD + "  \n"));

        assertThat(keys.current()).isEqualTo("2026-11");
        assertThat(keys.sealing().getEncoded()).isEqualTo(Base64.getDecoder().decode(NEW));
        assertThat(keys.find("2025-01").getEncoded())
                .isEqualTo(Base64.getDecoder().decode(OLD));
        assertThat(keys.find("2024-01")).isNull();
    }

    @Test
    void aVariableMayHoldThemBetweenCommas() {
        assertThat(parse("b:" + NEW + ",a:" + OLD)).hasToString("SealKeys['b' (seals), 'a']");
        assertThatThrownBy(() -> SealKeys.fromEnvironment("IDEM_NO_SUCH_VARIABLE"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("IDEM_NO_SUCH_VARIABLE");
    }

    @Test
    void noKeyIsShown() {
        SealKeys keys = parse("b:" + NEW);
        byte[] raw = Base64.getDecoder().decode(NEW);

        assertThat(keys.toString())
                .isEqualTo("SealKeys['b' (seals)]")
                .doesNotContain(NEW, HexFormat.of().formatHex(raw));
        assertThat(SealKeys.none()).hasToString("SealKeys[]");
    }

    @Test
    void theCallersArrayMayBeWipedAfterwards() {
        byte[] key = new byte[32];
        key[0] = 1;
        SealKeys keys = SealKeys.of("a", key);
        key[0] = 0;
        assertThat(keys.sealing().getEncoded()[0]).isEqualTo((byte) 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rw-----w-", "rw-rw-rw-"})
    void aFileThatOthersMayReadOrWriteIsRefused(String permissions) throws IOException {
        Path file = file(permissions, "a:" + OLD);
        assertThatThrownBy(() -> SealKeys.fromFile(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(permissions)
                .hasMessageContaining("chmod 600 " + file);
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> SealKeys.fromFile(folder.resolve("none")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not there: " + folder.resolve("none"));
        assertThatThrownBy(() -> SealKeys.fromFile(Files.createDirectory(
                        folder.resolve("folder"),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("can't be read");
    }

    @Test
    void whatIsWrongIsSaidWithoutQuotingAKey() {
        String hex = HexFormat.of().formatHex(Base64.getDecoder().decode(OLD));
        refused("", "holds no seal key");
        refused("# nothing\n", "holds no seal key");
        refused("a:" + NEW + "\n" + OLD, "KEYS, line 2: a seal key is written as id:base64");
        refused("a:" + base64(1, 16), "KEYS, line 1: seal key 'a' has 16 bytes; it must have 32");
        refused("a:" + hex, "seal key 'a' has 48 bytes");
        refused("a:", "seal key 'a' has 0 bytes");
        refused("a:" + NEW.replace('=', '!'), "is no base64");
        refused(OLD + ":a123", "the id of a seal key has");
        refused("A".repeat(43) + ":" + NEW, "the id of a seal key has");
        refused("a b:" + OLD, "the id of a seal key has");
        refused("a:" + OLD + ",a:" + NEW, "seal key 'a' is given twice");
    }

    private static void refused(String text, String why) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why)
                .satisfies(thrown -> {
                    for (Throwable e = thrown; e != null; e = e.getCause()) {
                        assertThat(e.getMessage())
                                .doesNotContain(OLD.substring(0, 8), NEW.substring(0, 8), OLD.substring(33));
                    }
                });
    }
}
