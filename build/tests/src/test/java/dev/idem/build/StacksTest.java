package dev.idem.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StacksTest {
    /** Waits until its stdin ends. */
    static final class Waiting {
        private Waiting() {}

        public static void main(String[] arguments) throws Exception {
            System.out.println("ready");
            waitForTheEnd();
        }

        private static void waitForTheEnd() throws Exception {
            System.in.readAllBytes();
        }
    }

    @Test
    void theThreadsOfThisProcessAndOfItsChildrenAreShown() throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        Path.of("target", "test-classes").toString(),
                        Waiting.class.getName())
                .start();
        ByteArrayOutputStream shown = new ByteArrayOutputStream();
        try {
            assertThat(child.inputReader().readLine()).isEqualTo("ready");
            Stacks.print(new PrintStream(shown, true, StandardCharsets.UTF_8), "it hangs");
        } finally {
            child.destroyForcibly().waitFor();
        }
        assertThat(shown.toString(StandardCharsets.UTF_8))
                .startsWith("'it hangs' has reached its time limit")
                .contains("StacksTest.theThreadsOfThisProcessAndOfItsChildrenAreShown")
                .contains("Child process " + child.pid())
                .contains("StacksTest$Waiting.waitForTheEnd");
    }

    @Test
    void aTemporaryFolderHasAShortPath(@TempDir Path folder) {
        assertThat(folder.toString()).hasSizeLessThan(50);
    }
}
