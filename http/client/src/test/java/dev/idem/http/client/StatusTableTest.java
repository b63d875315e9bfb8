package dev.idem.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.http.HttpRules;
import dev.idem.http.HttpRules.Ending;
import dev.idem.http.Response;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A status of a handler and a status of a remote are not the same knowledge, so each has a table of its own. */
class StatusTableTest {
    private static final Set<Integer> OFTEN_REFUSED = Set.of(403, 404);

    private static Map<Ending, List<Integer>> refusals(HttpRules rules) {
        Map<Ending, List<Integer>> found = new EnumMap<>(Ending.class);
        for (int status = 400; status < 500; status++) {
            found.computeIfAbsent(rules.ending(Response.of(status)), absent -> new ArrayList<>())
                    .add(status);
        }
        return found;
    }

    @Test
    void aConflictOfAHandlerIsFinalAndThatOfARemoteIsADoubt() {
        try (Idem idem = Idem.builder().ledger("memory:").quiet().open()) {
            Map<Ending, List<Integer>> server = refusals(HttpRules.ietf());
            Map<Ending, List<Integer>> client = refusals(new ClientSettings(idem).rules());

            assertThat(server.get(Ending.DOUBTFUL)).containsExactly(408, 421, 423, 425, 429);
            assertThat(server).doesNotContainKey(Ending.RELEASED);
            assertThat(client.get(Ending.DOUBTFUL)).containsExactly(408, 409);
            assertThat(client.get(Ending.RELEASED))
                    .containsExactly(401, 405, 407, 411, 414, 415, 421, 423, 425, 426, 429, 431);
            assertThat(client.get(Ending.FINAL)).containsAll(OFTEN_REFUSED);
        }
    }

    @Test
    void aRefusalAfterADoubtReleasesNothing() {
        try (Idem idem = Idem.builder().ledger("memory:").quiet().open()) {
            HttpRules rules = new ClientSettings(idem).rules();
            for (int status : refusals(rules).get(Ending.RELEASED)) {
                Ending doubted = Verdict.of(Response.of(status), rules, true).ending();

                assertThat(Verdict.of(Response.of(status), rules, false).ending())
                        .isEqualTo(Ending.RELEASED);
                // These two say "later", so the request is sent again.
                assertThat(doubted)
                        .as("%s", status)
                        .isEqualTo(Set.of(425, 429).contains(status) ? Ending.RELEASED : Ending.DOUBTFUL);
            }
            for (int status : refusals(rules).get(Ending.FINAL)) {
                assertThat(Verdict.of(Response.of(status), rules, true).ending())
                        .as("%s", status)
                        .isEqualTo(Ending.DOUBTFUL);
            }
        }
    }
}
