package dev.idem.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Policy;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpRulesTest {
    @Test
    void methodsThatChangeNothingCanNotBeGuarded() {
        for (String method : List.of("GET", "HEAD", "OPTIONS", "TRACE")) {
            assertThatThrownBy(() -> HttpRules.ietf().methods("POST", method))
                    .hasMessage(method + " changes nothing and is never guarded; leave it out");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Set-Cookie", "set-cookie2", "Authorization", "X-CSRF-Token", "Proxy-Authenticate", "Connection",
                "Transfer-Encoding", "RateLimit", "RateLimit-Policy", "X-RateLimit-Limit", "X-Rate-Limit-Reset", "Date",
                "Age", "Content-Length", "Idempotent-Replayed"
            })
    void secretsAndHeadersOfOneConnectionCanNotBeStored(String header) {
        assertThatThrownBy(() -> HttpRules.ietf().storedHeaders(header))
                .hasMessageStartingWith("the header " + header + " is never stored");
        assertThat(HttpRules.ietf().storedHeaders(header.substring(0, 2) + "*").stores(header))
                .isFalse();
    }

    @Test
    void theChallengeBelongsToTheStatus401() {
        HttpRules basic = HttpRules.ietf().challenge("Basic realm=\"orders\"");

        assertThat(basic.problem(Problem.PRINCIPAL_MISSING).headers())
                .containsEntry("WWW-Authenticate", List.of("Basic realm=\"orders\""));
        assertThat(basic.status(Problem.PRINCIPAL_MISSING, 403)
                        .problem(Problem.PRINCIPAL_MISSING)
                        .headers())
                .doesNotContainKey("WWW-Authenticate");
    }

    @Test
    void anUnknownProfileIsRefused() {
        assertThat(HttpRules.profile("stripe").status(Problem.KEY_REUSED)).isEqualTo(400);
        assertThat(HttpRules.profile("idemkit").status(Problem.IN_FLIGHT)).isEqualTo(423);
        assertThat(HttpRules.profile("ietf").status(Problem.IN_FLIGHT)).isEqualTo(409);
        assertThatThrownBy(() -> HttpRules.profile("paypal"))
                .hasMessage("the profile 'paypal' is not known; use ietf, stripe or idemkit");
    }

    @Test
    void aPolicyThatHttpHasNoAnswerForIsRefused() {
        for (Policy policy : List.of(
                Policy.read(),
                Policy.write().keepFailures(),
                Policy.write().retry(2),
                Policy.write().approval(),
                Policy.write().interruptible())) {
            assertThatThrownBy(() -> HttpRules.ietf().policy(policy)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aChangeLeavesTheRulesBeforeItAsTheyWere() {
        HttpRules before = HttpRules.ietf();
        before.keyRequired(true).releasedOn(503).status(Problem.EXPIRED, 404).storedHeaders("x-a");

        assertThat(before.keyRequired()).isFalse();
        assertThat(before.ending(Response.of(503))).isEqualTo(HttpRules.Ending.DOUBTFUL);
        assertThat(before.status(Problem.EXPIRED)).isEqualTo(410);
        assertThat(before.stores("x-a")).isFalse();
    }
}
