package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.testkit.MemoryFolder;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatusFileTest {
    /** It was taken for a device, which is never created. */
    @Test
    void aFileInMemoryIsWritten(@TempDir(factory = MemoryFolder.class) Path folder) throws IOException {
        StatusFile.check("status.json", folder, "--status-file").write("{}");
        assertThat(folder.resolve("status.json")).hasContent("{}");
        assertThat(StatusFile.check("/dev/null", folder, "--status-file").special())
                .isTrue();
    }
}
