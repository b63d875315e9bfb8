package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.cli.InProcess.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Looking makes nothing, and needs no right to write. */
class LookingIT extends ProcessCase {
    private static final List<String> LOOKS = List.of("ls", "show k", "why k", "stats", "export", "watch --for 1ms");

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.list(home)) {
            return all.map(file -> file.getFileName().toString())
                    .filter(name -> !name.startsWith("std"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "jsonl"})
    void lookingAtAMistypedPathMakesNothing(String scheme) throws IOException {
        for (String look : LOOKS) {
            Ran ran = idems.run((look + " --ledger " + scheme + ":mistyped.db").split(" ", -1));
            assertThat(ran.exit()).as(look).isEqualTo(2);
            assertThat(ran.err()).contains("there is no ledger at").contains("mistyped.db");
        }
        assertThat(files()).isEmpty();
    }

    @Test
    void beforeTheFirstRunThereIsNothingToSee() throws IOException {
        assertThat(idems.run("ls").exit()).isZero();
        assertThat(idems.run("show", "k").exit()).isEqualTo(5);
        assertThat(idems.run("doctor").exit()).isZero();
        assertThat(files()).isEmpty();
    }

    @Test
    void aLedgerIsLookedAtWithoutWritingToIt() throws IOException {
        idems.with("IDEM_LEDGER", "sqlite:idem.db");
        idems.run("run", "--key", "k", "--", "echo", "out");
        Path file = home.resolve("idem.db");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
        byte[] before = Files.readAllBytes(file);
        for (String look : LOOKS) {
            Ran ran = idems.run(look.split(" ", -1));
            assertThat(ran.exit()).as(look + ran.err()).isZero();
        }
        assertThat(idems.run("ls").out()).contains("complete");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }
}
