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

class LedgerNameTest {
    @TempDir
    Path folder;

    @Test
    void aFileIsKnownByItsRealPath() throws IOException {
        Path real = Files.createDirectory(folder.resolve("real"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), real);
        LedgerName name = new LedgerName("sqlite:" + real.resolve("idem.db") + "?busy=60s", () -> "id");
        name.require("sqlite:" + link.resolve("idem.db"));
        name.require("sqlite:" + link.resolve("../link/idem.db"));
        assertThatThrownBy(() -> name.require("sqlite:" + folder.resolve("idem.db")))
                .isInstanceOf(ApiException.class);
        assertThatThrownBy(() -> name.require("jsonl:" + real.resolve("idem.db")))
                .isInstanceOf(ApiException.class);
        assertThatThrownBy(() -> name.require("sqlite:idem.db")).hasMessageContaining("make it absolute");
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
            assertThatCode(() -> name.require(other)).doesNotThrowAnyException();
        } else {
            assertThatThrownBy(() -> name.require(other))
                    .isInstanceOfSatisfying(
                            ApiException.class, e -> assertThat(e.error()).isEqualTo(ApiError.MISMATCH));
        }
    }

    @Test
    void aPasswordIsNotShown() {
        assertThatThrownBy(() ->
                        new LedgerName("postgresql://ann:s3cret@host/db", () -> "id").require("redis://:s3cret@host/1"))
                .hasMessageNotContaining("s3cret");
    }
}
