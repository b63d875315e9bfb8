package dev.idem.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.torture.subject.Deed;
import dev.idem.torture.worker.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OptionsTest {
    @Test
    void everythingCanBeSaid() {
        Options options = parse(
                "--ledger redis --seed 42 --duration 10m --deeds kill,stop --kinds brief --broken trusting --folder f");
        assertThat(options)
                .isEqualTo(new Options(
                        "redis",
                        42,
                        Duration.ofMinutes(10),
                        Set.of(Deed.KILL, Deed.STOP),
                        Set.of(Kind.BRIEF),
                        "trusting",
                        Path.of("f")));
        assertThat(parse("--deeds none").deeds()).isEmpty();
    }

    @Test
    void nonsenseIsRefused() {
        assertThat(parse("--ledger")).isNull();
        assertThat(parse("--colour blue")).isNull();
        assertThatThrownBy(() -> parse("--broken beyond-repair")).hasMessageContaining("check-then-act");
        assertThatThrownBy(() -> parse("--kinds good")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> parse("--deeds sing")).isInstanceOf(IllegalArgumentException.class);
    }

    private static Options parse(String line) {
        return Options.parse(line.split(" "));
    }
}
