package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.cli.Idems.Started;
import dev.idem.cli.InProcess.Ran;
import dev.idem.testkit.Thorough;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hundred calls at once, as the launcher makes them, on one ledger that nobody has opened before. */
class CrowdIT extends ProcessCase {
    private static final int CALLS = Thorough.times(6, 100);
    private static final String EFFECT = "echo \"$0\" >>effects; echo \"$0 did it\"";

    @TempDir
    static Path cache;

    private Path launcher;

    @BeforeEach
    void open() {
        launcher = LauncherIT.launcher();
        idems.with("XDG_CACHE_HOME", cache.toString()).with("JAVA_HOME", System.getProperty("java.home"));
        // Once alone, so that what the launcher prepares is there for all.
        assertThat(start("--version").end().exit()).isZero();
    }

    private Started start(String... words) {
        List<String> command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(List.of(words));
        return idems.start(Redirect.from(new File("/dev/null")), command);
    }

    private List<Ran> crowd(IntFunction<String> key) {
        List<Started> all = IntStream.range(0, CALLS)
                .mapToObj(i ->
                        start("run", "--key", key.apply(i), "--wait", "60s", "--", "sh", "-c", EFFECT, key.apply(i)))
                .toList();
        return all.stream().map(Started::end).toList();
    }

    @Test
    void onOneKeyOneRunsAndAllGetWhatItWrote() throws IOException {
        List<Ran> ended = crowd(i -> "k");
        assertThat(ended).extracting(Ran::exit).containsOnly(0);
        assertThat(ended).extracting(Ran::out).containsOnly("k did it\n");
        assertThat(ended)
                .filteredOn(one -> one.err().startsWith("idem: replay of 'k'"))
                .hasSize(CALLS - 1);
        assertThat(Files.readAllLines(home.resolve("effects"))).containsExactly("k");
    }

    @Test
    void onAsManyKeysEachRunsOnceAndNobodyMeetsALock() throws IOException {
        List<Ran> ended = crowd(i -> "k" + i);
        assertThat(ended).extracting(Ran::err).containsOnly("");
        assertThat(ended).extracting(Ran::exit).containsOnly(0);
        assertThat(Files.readAllLines(home.resolve("effects")))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, CALLS).mapToObj(i -> "k" + i).toList());
    }
}
