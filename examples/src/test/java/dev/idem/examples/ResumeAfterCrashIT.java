package dev.idem.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResumeAfterCrashIT {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"reserve", "charge", "send_mail"})
    void theFinishedStepsReplayAndTheRestIsDone(String lastStep) throws Exception {
        Program.Ended crashed = Program.run(ResumeAfterCrash.class, folder, lastStep);
        assertThat(crashed.exit()).isEqualTo(1);
        assertThat(crashed.output()).isEmpty();
        assertThat(Files.readString(folder.resolve("journal"))).endsWith(lastStep + "\n");

        Program.Ended resumed = Program.run(ResumeAfterCrash.class, folder);

        assertThat(resumed.output()).startsWith("Receipt[id=ch_1, cents=4200]");
        assertThat(Files.readString(folder.resolve("journal"))).isEqualTo("reserve\ncharge\nsend_mail\n");
    }

    @Test
    void aFinishedOrderReplaysWhole() throws Exception {
        Program.run(ResumeAfterCrash.class, folder);
        Program.Ended again = Program.run(ResumeAfterCrash.class, folder);

        assertThat(again.output()).startsWith("Receipt[id=ch_1, cents=4200]");
        assertThat(Files.readString(folder.resolve("journal"))).isEqualTo("reserve\ncharge\nsend_mail\n");
    }
}
