package dev.idem.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OutgoingRequestTest {
    private static final HttpRules RULES = HttpRules.ietf();

    private static OutgoingRequest post(String target, String json) {
        return new OutgoingRequest(
                "POST",
                URI.create(target),
                Map.of("Content-Type", List.of("application/json")),
                json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void theNamesHoldNoSecrets() throws Exception {
        OutgoingRequest request = post("https://ann:secret@API.example.com:8443/charges?token=secret", "{}");

        assertThat(request.scope()).isEqualTo("http-client:api.example.com:8443");
        assertThat(request.operation()).isEqualTo("POST api.example.com:8443/charges");
        assertThat(request).hasToString("POST api.example.com:8443/charges");
        assertThat(StoredResponse.answers(new Address(request.scope(), request.operation(), "order-7")))
                .isTrue();
    }

    @Test
    void hostQueryAndValuesMakeTheSameRequest() throws Exception {
        Map<String, Object> one =
                post("https://a.example.com/charges?x=1", "{\"a\":1,\"b\":2}").identity(RULES);

        assertThat(post("https://a.example.com/charges?x=1", "{ \"b\": 2, \"a\": 1 }")
                        .identity(RULES))
                .isEqualTo(one);
        assertThat(post("https://b.example.com/charges?x=1", "{\"a\":1,\"b\":2}")
                        .identity(RULES))
                .isNotEqualTo(one);
        assertThat(post("https://a.example.com/charges?x=2", "{\"a\":1,\"b\":2}")
                        .identity(RULES))
                .isNotEqualTo(one);
        assertThat(post("https://a.example.com/charges?x=1", "{\"a\":1,\"b\":3}")
                        .identity(RULES))
                .isNotEqualTo(one);
    }

    /** A remote may tell them apart. */
    @Test
    void aPathIsTheSameOnlyInTheSameSpelling() throws Exception {
        OutgoingRequest one = post("https://a.example.com/files/a%3Bb", "{}");
        OutgoingRequest other = post("https://a.example.com/files/a;b", "{}");

        assertThat(one.identity(RULES)).isNotEqualTo(other.identity(RULES));
        assertThat(one.operation()).isNotEqualTo(other.operation());
        assertThat(post("https://a.example.com/files/a%2Fb", "{}").operation()).endsWith("/files/a%2Fb");
    }

    @Test
    void aProblemIsFoundByItsType() {
        for (Problem problem : Problem.values()) {
            assertThat(Problem.of(RULES.problem(problem))).contains(problem);
        }
        assertThat(Problem.of(Response.of(409).body("application/json", "{\"type\":\"urn:idem:problem:in-doubt\"}")))
                .isEmpty();
        assertThat(Problem.of(Response.of(409).body("application/problem+json", "{\"type\":\"about:blank\"}")))
                .isEmpty();
        assertThat(Problem.of(Response.of(409).body("application/problem+json", "not JSON")))
                .isEmpty();
    }
}
