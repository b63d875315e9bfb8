package dev.idem.gauntlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.lab.TempFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contenders on servers, which the program starts and stops by itself. */
@Tag("proof")
final class ServersIT {
    private static final Pace SHORT =
            new Pace(Duration.ofMillis(300), Duration.ofMillis(300), Duration.ofMillis(20), Duration.ofMillis(20), 1);

    @TempDir
    Path folder;

    private Servers servers;

    @BeforeEach
    void getReady() {
        servers = new Servers(folder);
    }

    @AfterEach
    void stopServers() throws IOException {
        servers.close();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void idemIsRightOnPostgresqlAndOnRedis() throws Exception {
        Map<String, Verdict> others = new LinkedHashMap<>();
        Judge judge = new Judge(servers, folder, SHORT);
        for (String title : new String[] {"Idem / PostgreSQL", "Idem / Redis"}) {
            for (RightScenario scenario : Judge.scenarios()) {
                Verdict verdict = judge.judge(new Field(servers).titled(title), scenario);
                if (verdict.grade() != Verdict.Grade.RIGHT) {
                    others.put(title + ": " + scenario.name(), verdict);
                }
            }
        }
        assertThat(others).isEmpty();
    }

    @Test
    void everyContenderOnAServerRunsOnceAndAnswersTheSecondCall() throws Exception {
        Map<String, String> wrong = new LinkedHashMap<>();
        for (Field.Entry entry : new Field(servers).all()) {
            if (entry.store().matches("PostgreSQL|Redis.*")) {
                try (TempFolder store = new TempFolder(folder);
                        Contender contender = entry.entrant().enter(store.path())) {
                    Answer first = contender.call("charge", "k", Arena.PAYLOAD, () -> "done");
                    Answer second = contender.call("charge", "k", Arena.PAYLOAD, () -> "again");
                    boolean replays = contender.offers().contains(Contender.Offer.REPLAY);
                    if (!first.is("done") || !(replays ? second.is("done") : second instanceof Answer.Dropped)) {
                        wrong.put(entry.title(), first + ", then " + second);
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
    }
}
