package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A ledger whose compaction replaces its file: the server took the new file for a stranger's and answered nothing more. */
class JsonlCompactionTest extends ApiCase {
    private static final int ENOUGH = 400;

    @Override
    String url() {
        return "jsonl:" + folder.resolve("idem.jsonl");
    }

    private Object file() throws Exception {
        Path path = folder.resolve("idem.jsonl");
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    @Test
    void aServerOutlivesACompactionOfItsLedger() throws Exception {
        String again = ",'policy':{'side_effect':'idempotent','repeat':'run'}";
        String result = "'as':'complete','result':'" + "x".repeat(100_000) + "'";
        Object before = file();
        int compacted = 0;
        for (int i = 0; i < ENOUGH && compacted < 2; i++) {
            Map<String, @Nullable Object> granted = granted(again);
            Object now = file();
            compacted += now.equals(before) ? 0 : 1;
            before = now;
            assertThat(settle(granted, result)).containsEntry("answer", "recorded");
        }
        assertThat(compacted).as("compactions").isEqualTo(2);
        assertThat(claim("")).containsEntry("answer", "replay");
    }
}
