package dev.idem.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProbeAfterCrashIT {
    @TempDir
    Path folder;

    @Test
    void aChargeThatWasMadeIsFound() throws Exception {
        Program.Ended crashed = Program.run(ProbeAfterCrash.class, folder, "halt");
        assertThat(crashed).isEqualTo(new Program.Ended(1, ""));
        assertThat(bank().count()).isEqualTo(1);

        Program.Ended next = Program.run(ProbeAfterCrash.class, folder);

        assertThat(next.output()).startsWith("Receipt[id=ch_1, cents=4200]: found by a probe");
        assertThat(bank().count()).isEqualTo(1);
    }

    @Test
    void aChargeThatWasNotMadeIsMade() throws Exception {
        Program.run(ProbeAfterCrash.class, folder, "halt");
        Files.delete(folder.resolve("charges"));

        Program.Ended next = Program.run(ProbeAfterCrash.class, folder);

        assertThat(next.output()).startsWith("Receipt[id=ch_1, cents=4200]: ran, attempt 2");
        assertThat(bank().count()).isEqualTo(1);
    }

    private Bank bank() {
        return new Bank(folder.resolve("charges"));
    }
}
