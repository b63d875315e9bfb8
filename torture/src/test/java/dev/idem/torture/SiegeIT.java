package dev.idem.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.torture.siege.Attack;
import dev.idem.torture.siege.Siege;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each attack is made for a short while. How long answers take is judged by hand, on a quiet machine. */
@Tag("proof")
@Timeout(900)
class SiegeIT {
    private static final int ENTRIES = 20_000;
    private static final Path LIMITS = Path.of("..", "server", "api", "src", "main", "java", "dev", "idem", "server");

    @TempDir
    Path folder;

    private final List<String> told = new ArrayList<>();

    private List<String> wrong(Set<Attack> attacks, String classes) throws Exception {
        Siege.Options options = new Siege.Options(
                Duration.ofSeconds(6), attacks, ENTRIES, Duration.ofMinutes(1), classes, folder.resolve("siege"));
        return new Siege(options, told::add).run();
    }

    @Test
    void anHonestClientIsServedDuringEveryAttack() throws Exception {
        assertThat(wrong(EnumSet.allOf(Attack.class), ""))
                .as(() -> String.join("\n", told))
                .isEmpty();
        assertThat(folder.resolve("siege")).as("nothing is left").isEmptyDirectory();
    }

    @Test
    void aServerWithoutLimitsIsCaught() throws Exception {
        String limits = Files.readString(LIMITS.resolve("Budget.java"));
        String none = limits.replace("return (all == 0 ||", "return all >= 0 || (all == 0 ||");
        assertThat(none).isNotEqualTo(limits);
        assertThat(wrong(EnumSet.of(Attack.READERS), compiled(none)))
                .as(() -> String.join("\n", told))
                .isNotEmpty();
    }

    private String compiled(String budget) throws IOException {
        Path source = folder.resolve("Budget.java");
        Files.writeString(source, budget);
        Path classes = Files.createDirectory(folder.resolve("classes"));
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        String[] words = {"-proc:none", "-nowarn", "-cp", path, "-d", classes.toString(), source.toString()};
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, words))
                .isZero();
        return classes.toString();
    }

    @Test
    void nonsenseIsRefused() {
        assertThatThrownBy(() -> Siege.Options.parse(List.of("--colour", "blue")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--colour");
        assertThatThrownBy(() -> Siege.Options.parse(List.of("--attacks", "flowers")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
