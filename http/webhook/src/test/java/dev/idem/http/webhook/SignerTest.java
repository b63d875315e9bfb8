package dev.idem.http.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.http.webhook.Verification.Accepted;
import dev.idem.http.webhook.Verification.Refused;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Makes deliveries that the verifier accepts. The verifier itself is tested with the deliveries of {@link SignedCase}. */
class SignerTest {
    private static final Instant NOW = Instant.ofEpochSecond(SignedCase.NOW);
    private static final Sender ACME = Sender.hmac("acme", "X-Acme-Signature")
            .algorithm(Algorithm.HMAC_SHA512)
            .items(",", "s=")
            .time(Place.header("X-Acme-Time"))
            .signed("{time}|{body}")
            .id(Place.member("event.id"))
            .type(Place.header("X-Acme-Event"));

    /** A sender, and the secret it signs with; empty for the one of tests. */
    record Signing(Sender sender, String secret) {
        Signer signer() {
            Signer signer = secret.isEmpty() ? Signer.of(sender) : Signer.of(sender, secret);
            return signer.at(NOW).url(SignedCase.URL);
        }

        Verifier verifier() {
            String[] secrets = signer().endpointSecret().stream().toArray(String[]::new);
            return Verifier.of(sender, secrets).clock(InstantSource.fixed(NOW));
        }
    }

    static Stream<Signing> signings() {
        Sender ed25519 = Sender.hmac("ed", "X-Ed").algorithm(Algorithm.ED25519).base64();
        Sender token = Sender.hmac("tok", "X-Token").algorithm(Algorithm.TOKEN).prefix("Bearer ");
        return Stream.concat(
                Stream.concat(Sender.all().stream(), Stream.of(ACME, ed25519, token))
                        .map(sender -> new Signing(sender, "")),
                Stream.of(
                        new Signing(Sender.STANDARD_WEBHOOKS, Signer.TEST_WHSK),
                        new Signing(Sender.SVIX, Signer.TEST_WHSK),
                        new Signing(Sender.STRIPE, "whsec_of_mine"),
                        new Signing(ACME, "ein Geheimnis, süß")));
    }

    private static String fields(Sender sender) {
        String json =
                "{\"id\":\"evt_1\",\"event_id\":\"evt_1\",\"sg_event_id\":\"evt_1\",\"event\":{\"id\":\"evt_1\"}}";
        return sender.equals(Sender.SENDGRID) ? "[" + json + "]\r\n" : json;
    }

    @ParameterizedTest
    @MethodSource("signings")
    void theVerifierAcceptsWhatIsSigned(Signing by) {
        byte[] body = fields(by.sender()).getBytes(UTF_8);

        Verification result = by.verifier().verify(by.signer().sign(body).request());

        assertThat(result).isInstanceOf(Accepted.class);
        assertThat(((Accepted) result).events()).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("signings")
    void theVerifierRefusesAnotherBodyThanTheSignedOne(Signing by) {
        Signer.Signed signed = by.signer().sign(fields(by.sender()).getBytes(UTF_8));
        byte[] other = fields(by.sender()).replace("evt_1", "evt_2").getBytes(UTF_8);
        Verification result = by.verifier().verify(request(signed, other));
        assertThat(result instanceof Accepted).isNotEqualTo(by.sender().signsBody());
    }

    private static WebhookRequest request(Signer.Signed signed, byte[] body) {
        WebhookRequest request = WebhookRequest.of(lines(signed.headers()), body);
        return signed.url().map(request::at).orElse(request);
    }

    private static Map<String, List<String>> lines(Map<String, String> headers) {
        Map<String, List<String>> lines = new HashMap<>();
        headers.forEach((name, value) -> lines.put(name, List.of(value)));
        return lines;
    }

    /** A verifier may refuse to read such a body, but never because of its signature. */
    @ParameterizedTest
    @MethodSource("signings")
    void anyBodyIsSignedAsItIs(Signing by) {
        Random random = new Random(7);
        for (int size : new int[] {0, 1, 2, 100, 10_000}) {
            byte[] body = new byte[size];
            random.nextBytes(body);
            byte[] form = ("Body=" + HexFormat.of().formatHex(body) + "&From=%2B1&a=").getBytes(UTF_8);
            for (byte[] each : by.sender().equals(Sender.TWILIO) ? List.of(form) : List.of(form, body)) {
                Verification result =
                        by.verifier().verify(by.signer().sign(each).request());
                assertThat(result instanceof Refused refused ? refused.reason() : null)
                        .isIn(null, by.sender().equals(Sender.SENDGRID) ? Reason.MALFORMED_BODY : null);
            }
        }
    }

    @Test
    void theSameBodyIsTheSameEventAndAnIdMakesItAnother() {
        byte[] body = "{\"n\":1}".getBytes(UTF_8);
        Signer github = Signer.of(Sender.GITHUB);
        String first = github.sign(body).headers().get("X-GitHub-Delivery");
        assertThat(github.sign(body.clone()).headers()).containsEntry("X-GitHub-Delivery", first);
        assertThat(github.sign("{}".getBytes(UTF_8)).headers().get("X-GitHub-Delivery"))
                .isNotEqualTo(first);
        assertThat(github.id("other").type("push").sign(body).headers())
                .containsEntry("X-GitHub-Delivery", "other")
                .containsEntry("X-GitHub-Event", "push");
    }

    @Test
    void aTimeInTheSignatureHeaderComesFirst() {
        assertThat(Signer.of(Sender.STRIPE).at(NOW).sign(new byte[0]).headers().get("Stripe-Signature"))
                .startsWith("t=1700000000,v1=");
        assertThat(Signer.of(Sender.PADDLE).at(NOW).sign(new byte[0]).headers().get("Paddle-Signature"))
                .startsWith("ts=1700000000;h1=");
    }

    @Test
    void anOldAndAFutureTimeAreSignedToo() {
        Verifier verifier = Verifier.of(Sender.SLACK, Signer.TEST_SECRET).clock(InstantSource.fixed(NOW));
        for (int minutes : new int[] {-6, 6}) {
            Signer signer = Signer.of(Sender.SLACK).at(NOW.plus(Duration.ofMinutes(minutes)));
            Refused refused =
                    (Refused) verifier.verify(signer.sign("{}".getBytes(UTF_8)).request());
            assertThat(refused.reason()).isEqualTo(minutes < 0 ? Reason.TOO_OLD : Reason.IN_THE_FUTURE);
        }
    }

    @Test
    void twilioAppendsTheDigestOfAJsonBodyToTheUrl() {
        Signer signer = Signer.of(Sender.TWILIO).url("https://hooks.example.com/in");
        byte[] json = "{\"a\":1}".getBytes(UTF_8);
        Signer.Signed signed = signer.sign(json);
        assertThat(signed.url().orElseThrow()).matches("https://hooks.example.com/in\\?bodySHA256=[0-9a-f]{64}");
        assertThat(Signer.of(Sender.TWILIO).url(SignedCase.URL).sign(json).url().orElseThrow())
                .startsWith(SignedCase.URL + "&bodySHA256=");
        assertThat(signer.sign("A=1".getBytes(UTF_8)).headers())
                .containsEntry("Content-Type", "application/x-www-form-urlencoded");
    }

    @Test
    void cloudEventsComeInTheModeThatTheBodyHas() {
        Signer signer = Signer.of(Sender.CLOUD_EVENTS);
        String event = "{\"specversion\":\"1.0\",\"source\":\"/s\",\"id\":\"1\",\"type\":\"t\"}";
        assertThat(signer.sign(event.getBytes(UTF_8)).headers())
                .containsExactly(Map.entry("Content-Type", "application/cloudevents+json"));
        assertThat(signer.sign(("[" + event + "]").getBytes(UTF_8)).headers())
                .containsExactly(Map.entry("Content-Type", "application/cloudevents-batch+json"));
        assertThat(signer.id("7").sign("{\"n\":1}".getBytes(UTF_8)).headers())
                .containsEntry("ce-id", "7")
                .containsEntry("ce-specversion", "1.0")
                .containsKeys("ce-source", "ce-type");
    }

    @Test
    void theTypeIsInTheHeaderAlsoWhenTheIdIsInTheBody() {
        assertThat(Signer.of(ACME)
                        .type("paid")
                        .sign("{\"event\":{\"id\":\"1\"}}".getBytes(UTF_8))
                        .headers())
                .containsEntry("X-Acme-Event", "paid");
    }

    @Test
    void whatCantBeSignedIsRefusedWithWhatToDo() {
        refused(() -> Signer.of(Sender.STRIPE).id("evt_1"), "put it into the member id of the body");
        refused(() -> Signer.of(Sender.STRIPE).type("paid"), "put it into the member type of the body");
        refused(() -> Signer.of(Sender.SVIX).id("a.b"), "without the separator");
        refused(() -> Signer.of(Sender.SQUARE).sign(new byte[0]), "signs the public URL");
        refused(() -> Signer.of(Sender.CLOUD_EVENTS, "s"), "give no secret");
        refused(() -> Signer.of(Sender.GITHUB).id("a\nX-Evil: 1").sign(new byte[0]), "visible ASCII");
        refused(() -> Signer.of(Sender.GITHUB, " padded "), "white space");
        refused(() -> Signer.of(Sender.STRIPE).at(Instant.EPOCH.minusSeconds(1)).sign(new byte[0]), "since 1970");
        refused(() -> Signer.of(Sender.TWILIO).url("https://a").sign("a=%zz".getBytes(UTF_8)), "not a form");
    }

    @Test
    void aSecretThatCantSignIsRefusedAndNotShown() {
        String ofVerifier = Signer.of(Sender.SENDGRID).endpointSecret().orElseThrow();
        refused(() -> Signer.of(Sender.SENDGRID, ofVerifier), "PKCS#8").hasMessageNotContaining(ofVerifier);
        refused(() -> Signer.of(Sender.SVIX, "whpk_YWJj"), "can't sign").hasMessageNotContaining("YWJj");
        refused(() -> Signer.of(Sender.SVIX, "whsk_YWJj"), "32 bytes").hasMessageNotContaining("YWJj");
        refused(() -> Signer.of(Sender.SVIX, "whsec_***"), "base64").hasMessageNotContaining("***");
        assertThat(Signer.of(Sender.GITLAB, "hidden")).asString().doesNotContain("hidden");
    }

    private static AbstractThrowableAssert<?, ?> refused(ThrowingCallable doing, String told) {
        return assertThatThrownBy(doing)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(told);
    }
}
