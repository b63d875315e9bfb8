package dev.idem.jsonl.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.testkit.MemoryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A lock is had once in a process, and nothing of it is left where it is not had. */
class LockFileTest {
    private static final Path FULL = Path.of("/dev/full");

    @TempDir(factory = MemoryFolder.class)
    Path folder;

    @Test
    void oneThatIsHadIsHadOnceAndAgainAfterItsEnd() throws IOException {
        Path file = Files.createFile(folder.resolve("lock"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        for (int i = 0; i < 2; i++) {
            try (LockFile held = LockFile.hold(file)) {
                assertThat(held).isNotNull();
                assertThatThrownBy(() -> LockFile.hold(link))
                        .isInstanceOf(Disk.HeldException.class)
                        .hasMessageContaining("pid " + ProcessHandle.current().pid());
            }
        }
    }

    @Test
    void oneWhoseHolderCanNotWriteItsNameIsLetGo() {
        assumeTrue(Files.isWritable(FULL), "there is no " + FULL + ", which takes a lock and no name");
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> LockFile.hold(FULL))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(Disk.HeldException.class);
        }
    }
}
