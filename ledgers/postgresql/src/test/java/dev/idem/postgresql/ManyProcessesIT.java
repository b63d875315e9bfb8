package dev.idem.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.State;
import dev.idem.spi.Ledger;
import dev.idem.spi.browse.Browsable;
import dev.idem.testkit.ChildProcess;
import dev.idem.testkit.Thorough;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many processes on one server: nothing runs twice, and everybody gets the same answer. */
@Timeout(300)
class ManyProcessesIT {
    private static final int PROCESSES = Thorough.times(2, 8);
    private static final int KEYS = Thorough.times(400, 10_000);

    @Test
    void processesThatClaimTheSameKeysRunEachOnce() throws Exception {
        TestServer server = TestServer.shared();
        String url = server.url(TestServer.newSchema());
        Map<String, String> ran = new HashMap<>();
        List<String> got = new ArrayList<>();
        for (List<String> said : runTogether(url)) {
            assertThat(said.remove(said.size() - 1)).isEqualTo("exit 0");
            assertThat(said).hasSize(KEYS);
            for (String line : said) {
                String[] words = line.split(" ", 3);
                if (words[0].equals("ran")) {
                    assertThat(ran.put(words[1], words[2]))
                            .as("%s ran once", words[1])
                            .isNull();
                } else {
                    got.add(line);
                }
            }
        }
        assertThat(ran).hasSize(KEYS);
        assertThat(got).hasSize((PROCESSES - 1) * KEYS);
        assertThat(got).allMatch(line -> {
            String[] words = line.split(" ", 3);
            return words[2].equals(ran.get(words[1]));
        });
        try (Ledger ledger = server.open(url, Requests.HERE)) {
            Browsable browsable = ledger.as(Browsable.class).orElseThrow();
            assertThat(browsable.stats().entries()).containsExactly(Map.entry(State.COMPLETE, (long) KEYS));
            assertThat(browsable.stats().replays())
                    .as("every replay is counted")
                    .isEqualTo((long) (PROCESSES - 1) * KEYS);
        }
    }

    private static List<List<String>> runTogether(String url) throws Exception {
        List<ChildProcess> children = new ArrayList<>();
        try {
            for (int i = 0; i < PROCESSES; i++) {
                children.add(ChildProcess.start(ClaimingMain.class, url, Integer.toString(KEYS), "2", "child-" + i));
            }
            for (ChildProcess child : children) {
                assertThat(child.line()).isEqualTo("ready");
            }
            for (ChildProcess child : children) {
                child.say("go");
            }
            List<List<String>> said = new ArrayList<>();
            for (ChildProcess child : children) {
                said.add(child.rest());
            }
            return said;
        } finally {
            children.forEach(ChildProcess::close);
        }
    }
}
