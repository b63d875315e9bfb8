package dev.idem.http.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.Json;
import dev.idem.http.webhook.Verification.Accepted;
import dev.idem.http.webhook.Verification.Refused;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The vectors that senders publish. They are kept beside the repository; without them the test is skipped. */
class PublishedVectorsTest {
    @Test
    void everyPublishedVectorIsJudgedAsItsSenderDoes() throws IOException {
        List<Map<String, Object>> vectors = vectors();

        assertThat(vectors).hasSizeGreaterThanOrEqualTo(14);
        assertThat(vectors).allSatisfy(vector -> {
            Verification result = verifier(vector).verify(request(vector));

            assertThat(result).isInstanceOf((Boolean) vector.get("valid") ? Accepted.class : Refused.class);
        });
        assertThat(vectors).extracting(vector -> vector.get("sender")).contains("github", "slack", "twilio", "square");
    }

    /** A vector that is accepted for a reason other than its signature proves nothing. */
    @Test
    void everyValidVectorIsRefusedWithAnotherSecret() throws IOException {
        for (Map<String, Object> vector : vectors()) {
            if (vector.containsKey("secret")) {
                Map<String, Object> other = new HashMap<>(vector);
                other.put("secret", vector.get("secret") + "BBBB");

                assertThat(verifier(other).verify(request(other))).isInstanceOf(Refused.class);
            }
        }
    }

    /** The vectors of Twilio's own libraries: the sender writes the port, or leaves it out, as it likes. */
    @ParameterizedTest
    @CsvSource({
        "https://mycompany.com,      RSOYDt4T1cUTdK1PDd93/VVr8B8=, true",
        "https://mycompany.com,      kvajT1Ptam85bY51eRf/AJRuM3w=, true",
        "https://mycompany.com:443,  RSOYDt4T1cUTdK1PDd93/VVr8B8=, true",
        "https://mycompany.com:1234, RSOYDt4T1cUTdK1PDd93/VVr8B8=, true",
        "http://mycompany.com,       0ZXoZLH/DfblKGATFgpif+LLRf4=, true",
        "http://mycompany.com:1234,  Zmvh+3yNM1Phv2jhDCwEM3q5ebU=, true",
        "https://mycompany.com:1234, kvajT1Ptam85bY51eRf/AJRuM3w=, false",
        "http://mycompany.com,       kvajT1Ptam85bY51eRf/AJRuM3w=, false",
        "https://yourcompany.com,    RSOYDt4T1cUTdK1PDd93/VVr8B8=, false"
    })
    void aSignatureOverTheUrlWithOrWithoutItsPortWasRefused(String host, String signature, boolean valid) {
        String form =
                "Digits=1234&To=%2B18005551212&From=%2B14158675309&Caller=%2B14158675309&CallSid=CA1234567890ABCDE";

        Verification result = Verifier.of(Sender.TWILIO, "12345")
                .verify(WebhookRequest.of(Map.of("X-Twilio-Signature", List.of(signature)), form.getBytes(UTF_8))
                        .at(host + "/myapp.php?foo=1&bar=2"));

        assertThat(result).isInstanceOf(valid ? Accepted.class : Refused.class);
    }

    private static Verifier verifier(Map<String, Object> vector) {
        Object at = vector.get("at");
        String secret = (String) vector.getOrDefault("secret", vector.get("public_key"));
        Instant now = at == null ? Instant.EPOCH : Instant.ofEpochSecond((Long) at);
        return Verifier.of(Sender.named((String) vector.get("sender")), secret).clock(InstantSource.fixed(now));
    }

    private static WebhookRequest request(Map<String, Object> vector) {
        Map<String, List<String>> headers = new HashMap<>();
        ((Map<?, ?>) vector.get("headers"))
                .forEach((name, value) -> headers.put((String) name, List.of((String) value)));
        String body = vector.get("form") instanceof Map<?, ?> form
                ? form.entrySet().stream()
                        .map(field -> field.getKey() + "=" + URLEncoder.encode((String) field.getValue(), UTF_8))
                        .collect(Collectors.joining("&"))
                : (String) vector.get("body");
        WebhookRequest request = WebhookRequest.of(headers, body.getBytes(UTF_8));
        return vector.get("url") instanceof String url ? request.at(url) : request;
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> vectors() throws IOException {
        String given = System.getProperty("idem.data");
        Path file = (given != null ? Path.of(given) : besideRepository()).resolve("webhooks/vectors.json");
        assumeTrue(Files.exists(file), () -> "no public test data at " + file + "; set -Didem.data");
        return (List<Map<String, Object>>) ((Map<?, ?>) Json.parse(Files.readAllBytes(file))).get("vectors");
    }

    private static Path besideRepository() {
        Path root = Path.of("").toAbsolutePath();
        for (Path up = root; up != null; up = up.getParent()) {
            root = Files.exists(up.resolve("bom/pom.xml")) ? up : root;
        }
        return root.resolve("../shared/data").normalize();
    }
}
