package dev.idem.cli;

import dev.idem.Address;
import dev.idem.State;
import dev.idem.cli.InProcess.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Calls of {@code idem run} with commands that leave one line for each effect. */
abstract class RunCase {
    @TempDir
    Path folder;

    InProcess shell;
    Path effects;

    @BeforeEach
    void open() {
        shell = new InProcess(folder);
        effects = folder.resolve("effects");
    }

    /** A call of a script that leaves one line for each effect, with options before the command. */
    Ran act(String script, String... options) {
        String[] before =
                Stream.concat(Stream.of("--key", "k"), Stream.of(options)).toArray(String[]::new);
        return shell.idem(line(before, "sh", "-c", "echo ran >> '" + effects + "'; " + script));
    }

    static String[] line(String[] before, String... command) {
        return Stream.of(new String[] {"run"}, before, new String[] {"--"}, command)
                .flatMap(Stream::of)
                .toArray(String[]::new);
    }

    long effects() {
        try {
            return Files.exists(effects) ? Files.readAllLines(effects).size() : 0;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    State state() {
        return shell.ledger
                .find(new Address("default", "run", "k"))
                .map(entry -> entry.state())
                .orElse(null);
    }
}
