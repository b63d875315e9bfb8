package dev.idem.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChargeOnceIT {
    @TempDir
    Path folder;

    @Test
    void twoProcessesOneCharge() throws Exception {
        Program.Ended first = Program.run(ChargeOnce.class, folder);
        Program.Ended second = Program.run(ChargeOnce.class, folder);

        assertThat(first.output()).startsWith("Receipt[id=ch_1, cents=4200], created: ran");
        assertThat(second.output()).startsWith("Receipt[id=ch_1, cents=4200], noop: replayed: it ran at ");
        assertThat(new Bank(folder.resolve("charges")).count()).isEqualTo(1);
    }
}
