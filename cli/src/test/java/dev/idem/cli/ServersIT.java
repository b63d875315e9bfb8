package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.cli.InProcess.Ran;
import dev.idem.lab.PostgresqlServer;
import dev.idem.lab.RedisProcess;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The command line on ledgers that are real servers. */
class ServersIT extends ProcessCase {
    @Test
    void runsOnceAndShowsWhatItKnowsOnPostgresql() throws Exception {
        try (var server = new PostgresqlServer(home)) {
            runsOnceAndShowsWhatItKnows(server.url(), 1);
        }
    }

    @Test
    @Tag("proof")
    void runsOnceAndShowsWhatItKnowsOnRedis() throws Exception {
        String[] durable = {"--appendonly", "yes", "--appendfsync", "always"};
        try (var server = RedisProcess.start(RedisProcess.bundled(home), home, durable)) {
            // Redis does not count replays.
            runsOnceAndShowsWhatItKnows(server.url(), 0);
        }
    }

    private void runsOnceAndShowsWhatItKnows(String ledger, long prevented) throws Exception {
        idems.with("IDEM_LEDGER", ledger).with("IDEM_TEXT", null);
        String[] line = {"run", "--key", "k", "--", "sh", "-c", "echo x >>effects; echo out; echo err >&2"};
        Ran first = idems.run(line);
        assertThat(first.err()).isEqualTo("err\n");
        assertThat(first.out()).isEqualTo("out\n");
        assertThat(first.exit()).isZero();
        Ran second = idems.run(line);
        assertThat(second.exit()).isZero();
        assertThat(second.out()).isEqualTo("out\n");
        assertThat(second.err()).startsWith("err\n").contains("replay of 'k'");
        assertThat(effects()).containsExactly("x");

        assertThat(idems.run("show", "k").data())
                .extracting("state", "attempt", "last_mark")
                .containsExactly("complete", 1L, "started");
        Ran doctor = idems.run("doctor", "--text");
        assertThat(doctor.exit()).as(doctor.out() + doctor.err()).isZero();
        assertThat(doctor.out()).contains("ok       reachable: ").doesNotContain("warning");
        assertThat(idems.run("stats").data()).containsEntry("duplicates_prevented", prevented);
        assertThat(idems.run("approve").data()).containsEntry("pending", List.of());

        Files.writeString(home.resolve("lines"), "one\ntwo\nthree\n");
        String[] batch = {"batch", "--key", "b", "--input", "lines", "--jobs", "3", "--", "sh", "-c", "echo y >>effects"
        };
        assertThat(idems.run(batch).data()).containsEntry("ran", 3L);
        assertThat(idems.run(batch).data()).containsEntry("replayed", 3L);
        assertThat(effects()).hasSize(4);
    }
}
