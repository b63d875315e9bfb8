package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LedgerNameTest {
    private static final Caller OWN = ApiCase.CALLER;
    private static final Caller REMOTE = new Caller("token t", false, Access.ALL, () -> true, () -> true, false);

    @TempDir
    Path folder;

    /** A long path that is not there cost seconds and the memory, for each that named one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLongNameIsRefused(boolean own) {
        LedgerName name = new LedgerName("sqlite:/srv/idem.db", () -> "id");
        String longest = "sqlite:" + "/a".repeat(30_000);
        assertThatThrownBy(() -> name.require(longest, own ? OWN : REMOTE))
                .hasMessageContaining("4096")
                .hasMessageNotContaining("/a/a");
    }

    /** The answer would tell which files and links there are. */
    @Test
    void aRemoteProgramMakesTheServerLookAtNoFile() throws IOException {
        Path real = Files.createDirectory(folder.resolve("real"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), real);
        LedgerName name = new LedgerName("sqlite:" + link.resolve("idem.db"), () -> "id");
        name.require("sqlite:" + link.resolve("idem.db"), REMOTE);
        name.require("sqlite:" + real.toRealPath().resolve("idem.db") + "?busy=1s", REMOTE);
        Path other = Files.createSymbolicLink(folder.resolve("other"), real);
        assertThatThrownBy(() -> name.require("sqlite:" + other.resolve("idem.db"), REMOTE))
                .isInstanceOfSatisfying(
                        ApiException.class, e -> assertThat(e.error()).isEqualTo(ApiError.MISMATCH));
        name.require("sqlite:" + other.resolve("idem.db"), OWN);
    }

    @Test
    void aFileIsKnownByItsRealPath() throws IOException {
        Path real = Files.createDirectory(folder.resolve("real"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), real);
        LedgerName name = new LedgerName("sqlite:" + real.resolve("idem.db") + "?busy=60s", () -> "id");
        name.require("sqlite:" + link.resolve("idem.db"), OWN);
        name.require("sqlite:" + link.resolve("../link/idem.db"), OWN);
        assertThatThrownBy(() -> name.require("sqlite:" + folder.resolve("idem.db"), OWN))
                .isInstanceOf(ApiException.class);
        assertThatThrownBy(() -> name.require("jsonl:" + real.resolve("idem.db"), OWN))
                .isInstanceOf(ApiException.class);
        assertThatThrownBy(() -> name.require("sqlite:idem.db", OWN)).hasMessageContaining("make it absolute");
    }

    @ParameterizedTest
    @CsvSource({
        "postgresql://ann:pw@HOST/db, postgresql://bob@host:5432/db?pool=3, true",
        "postgresql://host/db, postgresql://host/other, false",
        "postgresql://host/db, postgresql://host/db?schema=two, false",
        "postgresql://host/db, postgresql://elsewhere/db, false",
        "redis://host/1, redis://host:6379/1?timeout=1s, true",
        "redis://host/1?prefix=a, redis://host/1?prefix=b, false",
        "memory:, memory:, true",
        "memory:, redis://host/1, false",
    })
    void aServerIsKnownByHostAndDatabase(String one, String other, boolean same) {
        LedgerName name = new LedgerName(one, () -> "id");
        if (same) {
            assertThatCode(() -> name.require(other, OWN)).doesNotThrowAnyException();
        } else {
            assertThatThrownBy(() -> name.require(other, OWN))
                    .isInstanceOfSatisfying(
                            ApiException.class, e -> assertThat(e.error()).isEqualTo(ApiError.MISMATCH));
        }
    }

    @Test
    void aPasswordIsNotShown() {
        assertThatThrownBy(() -> new LedgerName("postgresql://ann:s3cret@host/db", () -> "id")
                        .require("redis://:s3cret@host/1", OWN))
                .hasMessageNotContaining("s3cret");
    }
}
