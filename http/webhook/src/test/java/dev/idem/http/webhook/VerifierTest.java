package dev.idem.http.webhook;

import static dev.idem.http.webhook.SignedCase.NOW;
import static dev.idem.http.webhook.SignedCase.URL;
import static dev.idem.http.webhook.SignedCase.request;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.http.webhook.Verification.Accepted;
import dev.idem.http.webhook.Verification.Handshake;
import dev.idem.http.webhook.Verification.Refused;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class VerifierTest {
    private static List<WebhookEvent> events(Verification result) {
        assertThat(result).isInstanceOf(Accepted.class);
        return ((Accepted) result).events();
    }

    private static Reason reason(Verification result) {
        assertThat(result).isInstanceOf(Refused.class);
        return ((Refused) result).reason();
    }

    /** Signs any body in a sender's name and has it verified. */
    private static Verification verify(String name, String body) {
        SignedCase sent = SignedCase.of(name);
        return verify(sent, sent.verifier(sent.secret()), body.getBytes(UTF_8));
    }

    private static Verification verify(SignedCase sent, Verifier verifier, byte[] body) {
        return verifier.verify(request(sent.headers(sent.secret(), NOW, body), body));
    }

    @Test
    void slacksQuestionForTheEndpointIsAnsweredOnlyIfItIsSigned() {
        String body = "{\"type\":\"url_verification\",\"challenge\":\"3eZbrw1a\"}";

        assertThat(verify("Slack", body)).isEqualTo(new Handshake("text/plain", "3eZbrw1a"));
        SignedCase slack = SignedCase.of("Slack");
        assertThat(reason(slack.verifier(slack.secret()).verify(request(slack.headers(), body.getBytes(UTF_8)))))
                .isEqualTo(Reason.WRONG_SIGNATURE);
        assertThat(events(verify("Stripe", body))).hasSize(1);
    }

    @Test
    void aBodyThatIsNotJsonIsAnEventKnownByItsDigest() throws Exception {
        WebhookEvent event =
                events(verify("Slack", "command=%2Fdeploy&trigger_id=1")).get(0);

        byte[] digest = MessageDigest.getInstance("SHA-256").digest("command=%2Fdeploy&trigger_id=1".getBytes(UTF_8));
        assertThat(event.id()).isEqualTo("sha256:" + SignedCase.hex(digest)).isEqualTo(event.digest());
        assertThat(event.json()).isEmpty();
        assertThat(event.type()).isEmpty();
    }

    @Test
    void theElementsOfAnArrayAreEventsWithIdsOfTheirOwn() {
        List<WebhookEvent> events = events(
                verify(
                        "SendGrid",
                        "[{\"sg_event_id\":\"a\",\"event\":\"open\",\"n\":1.50},\r\n {\"sg_event_id\":\"b\",\"event\":\"click\"}, {\"event\":\"drop\"}]\r\n"));

        assertThat(events)
                .extracting(WebhookEvent::text)
                .containsExactly(
                        "{\"sg_event_id\":\"a\",\"event\":\"open\",\"n\":1.50}",
                        "{\"sg_event_id\":\"b\",\"event\":\"click\"}",
                        "{\"event\":\"drop\"}");
        assertThat(events)
                .extracting(WebhookEvent::id)
                .containsExactly("a", "b", events.get(2).digest());
        assertThat(events).extracting(event -> event.type().orElseThrow()).containsExactly("open", "click", "drop");
        assertThat(events(verify("SendGrid", "[]"))).isEmpty();
    }

    @Test
    void anArrayWithSomethingElseInItIsRefusedAsAWhole() {
        for (String body :
                List.of("{}", "payload", "", "[1]", "[{\"sg_event_id\":\"a\"},null]", "[{\"a\":1,\"a\":2}]")) {
            assertThat(reason(verify("SendGrid", body))).as(body).isEqualTo(Reason.MALFORMED_BODY);
        }
    }

    @Test
    void tenThousandEventsInOneRequestHaveTheirIds() {
        String body = IntStream.range(0, 10_000)
                .mapToObj(n -> "{\"sg_event_id\":\"e" + n + "\"}")
                .collect(Collectors.joining(",", "[", "]"));

        assertThat(events(verify("SendGrid", body)))
                .hasSize(10_000)
                .extracting(WebhookEvent::id)
                .contains("e0", "e9999");
    }

    @Test
    void aBodyOverTheLimitIsRefusedBeforeItIsLookedAt() {
        SignedCase sent = SignedCase.of("GitLab");
        byte[] most = new byte[10 * 1024 * 1024];
        Arrays.fill(most, (byte) ' ');

        assertThat(events(verify(sent, sent.verifier(sent.secret()), most))).hasSize(1);
        byte[] more = Arrays.copyOf(most, most.length + 1);
        assertThat(reason(verify(sent, sent.verifier(sent.secret()), more))).isEqualTo(Reason.BODY_TOO_LARGE);
        assertThat(reason(verify(sent, sent.verifier(sent.secret()).largestBody(3), "four".getBytes(UTF_8))))
                .isEqualTo(Reason.BODY_TOO_LARGE);
    }

    @Test
    void theToleranceIsSetForThePastAndTheFuture() {
        SignedCase sent = SignedCase.of("Stripe");
        Verifier verifier = sent.verifier(sent.secret()).tolerance(Duration.ofHours(1), Duration.ZERO);

        assertThat(verifier.verify(request(sent.headers(sent.secret(), NOW - 3600, sent.bytes()), sent.bytes())))
                .isInstanceOf(Accepted.class);
        assertThat(reason(verifier.verify(request(sent.headers(sent.secret(), NOW + 1, sent.bytes()), sent.bytes()))))
                .isEqualTo(Reason.IN_THE_FUTURE);
        Verifier patient = verifier.tolerance(Duration.ofSeconds(Long.MAX_VALUE), Duration.ZERO);
        assertThat(patient.verify(request(sent.headers(), sent.bytes()))).isInstanceOf(Accepted.class);
    }

    @Test
    void aTimeOfTodayDoesNotReviveAnOldSignature() {
        SignedCase sent = SignedCase.of("Stripe");
        var headers = sent.headers(sent.secret(), NOW - 86_400, sent.bytes());
        String old = headers.get("Stripe-Signature").get(0);

        for (String forged :
                List.of(old.replace("t=" + (NOW - 86_400), "t=" + NOW), "t=" + NOW + "," + old, old + ",t=" + NOW)) {
            headers.put("Stripe-Signature", List.of(forged));
            assertThat(sent.verifier(sent.secret()).verify(request(headers, sent.bytes())))
                    .isInstanceOf(Refused.class);
        }
    }

    @Test
    void aSecondTimeInAGenuineHeaderIsRefused() {
        for (String name : List.of("Stripe", "Paddle")) {
            SignedCase sent = SignedCase.of(name);
            var headers = sent.headers();
            String more = name.equals("Stripe") ? ",t=" + NOW : ";ts=" + NOW;
            headers.compute(sent.signatureAt(), (header, lines) -> List.of(lines.get(0) + more));

            assertThat(reason(sent.verifier(sent.secret()).verify(request(headers, sent.bytes()))))
                    .isEqualTo(Reason.MALFORMED_HEADER);
        }
    }

    /** "{id}.{time}.{body}" is one text for several splits of it. */
    @Test
    void aSignedIdThatHoldsTheSeparatorIsRefused() {
        SignedCase sent = SignedCase.of("Standard Webhooks v1");
        byte[] body = (NOW + ".{\"a\":1}").getBytes(UTF_8);
        var headers = sent.headers(sent.secret(), NOW, body);
        headers.put("webhook-id", List.of("evt_1." + NOW));

        assertThat(reason(sent.verifier(sent.secret()).verify(request(headers, "{\"a\":1}".getBytes(UTF_8)))))
                .isEqualTo(Reason.MALFORMED_HEADER);
    }

    @Test
    void aSecretAndAPublicKeyOfStandardWebhooksWorkSideBySide() {
        SignedCase hmac = SignedCase.of("Standard Webhooks v1");
        SignedCase ed25519 = SignedCase.of("Standard Webhooks v1a");
        Verifier both = hmac.verifier(hmac.secret(), ed25519.secret());

        assertThat(both.verify(request(hmac.headers(), hmac.bytes()))).isInstanceOf(Accepted.class);
        assertThat(both.verify(request(ed25519.headers(), ed25519.bytes()))).isInstanceOf(Accepted.class);
        assertThat(reason(hmac.verifier(hmac.secret()).verify(request(ed25519.headers(), ed25519.bytes()))))
                .isEqualTo(Reason.MALFORMED_HEADER);
    }

    @Test
    void anIdFromTheJsonReplacesThatOfTheSender() {
        SignedCase sent = SignedCase.of("Stripe");
        Verifier verifier = sent.verifier(sent.secret())
                .idFrom(event -> event.member("data.object.id").orElse(null));

        String paid = "{\"id\":\"evt_1\",\"data\":{\"object\":{\"id\":\"in_7\"}}}";
        assertThat(events(verify(sent, verifier, paid.getBytes(UTF_8))).get(0).id())
                .isEqualTo("in_7");
        String other = "{\"id\":\"evt_2\",\"data\":[]}";
        assertThat(events(verify(sent, verifier, other.getBytes(UTF_8))).get(0).id())
                .isEqualTo("evt_2");
    }

    /** A captured delivery of GitHub was sent again under another delivery id, which GitHub does not sign. */
    @Test
    void theDigestAsIdKnowsADeliveryThatCameAgainUnderAnotherId() {
        SignedCase sent = SignedCase.of("GitHub");
        Verifier verifier = sent.verifier(sent.secret()).idFrom(WebhookEvent::digest);
        WebhookEvent first =
                events(verifier.verify(request(sent.headers(), sent.bytes()))).get(0);
        var headers = sent.headers();
        headers.put("X-GitHub-Delivery", List.of("another"));
        WebhookEvent again =
                events(verifier.verify(request(headers, sent.bytes()))).get(0);

        assertThat(again.id()).isEqualTo(first.id());
        assertThat(again.idSigned()).isTrue();
    }

    @Test
    void anOverlongOrBlankIdCountsAsNone() {
        for (String id : List.of("", " ", "x".repeat(1001))) {
            WebhookEvent event =
                    events(verify("Stripe", "{\"id\":\"" + id + "\"}")).get(0);

            assertThat(event.id()).isEqualTo(event.digest());
        }
    }

    @Test
    void aRequestWithoutItsUrlIsRefusedWhereTheUrlIsSigned() {
        SignedCase square = SignedCase.of("Square");

        assertThat(reason(square.verifier(square.secret()).verify(WebhookRequest.of(square.headers(), square.bytes()))))
                .isEqualTo(Reason.MISSING_URL);
        assertThat(reason(square.verifier(square.secret())
                        .verify(WebhookRequest.of(square.headers(), square.bytes())
                                .at(URL + "&x=1"))))
                .isEqualTo(Reason.WRONG_SIGNATURE);
    }

    @Test
    void twiliosJsonIsSignedByTheDigestInTheUrl() throws Exception {
        byte[] body = "{\"n\":1}".getBytes(UTF_8);
        String digest = SignedCase.hex(MessageDigest.getInstance("SHA-256").digest(body));
        String url = "https://hooks.example.com/in?bodySHA256=" + digest;
        String signature = SignedCase.base64(SignedCase.hmac("HmacSHA1", "a".getBytes(UTF_8), url.getBytes(UTF_8)));
        var headers = Map.of("X-Twilio-Signature", List.of(signature));
        Verifier verifier = Verifier.of(Sender.TWILIO, "a");

        assertThat(events(verifier.verify(WebhookRequest.of(headers, body).at(url))))
                .hasSize(1);
        assertThat(reason(verifier.verify(
                        WebhookRequest.of(headers, "{\"n\":2}".getBytes(UTF_8)).at(url))))
                .isEqualTo(Reason.WRONG_SIGNATURE);
    }

    /** Twilio signs decoded fields in the order of their names, so other bytes of the same form are genuine as well. */
    @Test
    void twiliosFormMayComeInAnotherOrderAndEncoding() throws Exception {
        String signature =
                SignedCase.base64(SignedCase.hmac("HmacSHA1", "a".getBytes(UTF_8), (URL + "A+1Bx y").getBytes(UTF_8)));
        var headers = Map.of("X-Twilio-Signature", List.of(signature));

        for (String form : List.of("A=%2B1&B=x+y", "B=x%20y&A=%2b1", "A=%2B1&B=x+y&A=%2B1")) {
            assertThat(events(Verifier.of(Sender.TWILIO, "a").verify(request(headers, form.getBytes(UTF_8)))))
                    .hasSize(1);
        }
        for (String form : List.of("A=%2B1&B=x+z", "A=%2B1", "A=%2B1&B=x+y&C=1", "A=%2B1&B=x%", "A=%2B1&B=x%zz")) {
            assertThat(reason(Verifier.of(Sender.TWILIO, "a").verify(request(headers, form.getBytes(UTF_8)))))
                    .isEqualTo(Reason.WRONG_SIGNATURE);
        }
    }

    /** All such bytes have the same replacement character, and a signature over that would fit them all. */
    @Test
    void twiliosFormMustBeUtf8() throws Exception {
        String signature = SignedCase.base64(
                SignedCase.hmac("HmacSHA1", "a".getBytes(UTF_8), (URL + "AM\uFFFDller").getBytes(UTF_8)));
        var headers = Map.of("X-Twilio-Signature", List.of(signature));
        Verifier verifier = Verifier.of(Sender.TWILIO, "a");

        assertThat(events(verifier.verify(request(headers, "A=M%EF%BF%BDller".getBytes(UTF_8)))))
                .hasSize(1);
        for (String form : List.of("A=M%FCller", "A=M\u00F6ller")) {
            assertThat(reason(verifier.verify(request(headers, form.getBytes(ISO_8859_1)))))
                    .isEqualTo(Reason.WRONG_SIGNATURE);
        }
    }

    @Test
    void cloudEventsAreReadInTheirThreeModes() {
        Verifier verifier = Verifier.of(Sender.CLOUD_EVENTS);
        String one = "{\"source\":\"/shop\",\"id\":\"1\",\"type\":\"paid\"}";
        var binary = Map.of("ce-id", List.of("1"), "ce-source", List.of("/shop"), "ce-type", List.of("paid"));
        var structured = Map.of("content-type", List.of("application/cloudevents+json"));
        var batched = Map.of("content-type", List.of("Application/CloudEvents-Batch+JSON; charset=utf-8"));

        for (WebhookRequest request : List.of(
                WebhookRequest.of(binary, "[{\"id\":\"2\"}]".getBytes(UTF_8)),
                WebhookRequest.of(structured, one.getBytes(UTF_8)),
                WebhookRequest.of(batched, ("[" + one + "]").getBytes(UTF_8)))) {
            WebhookEvent event = events(verifier.verify(request)).get(0);
            assertThat(event.id()).isEqualTo("/shop|1");
            assertThat(event.type()).contains("paid");
            assertThat(event.timestamped()).isFalse();
            assertThat(event.idSigned()).isFalse();
        }
        assertThat(reason(verifier.verify(WebhookRequest.of(batched, one.getBytes(UTF_8)))))
                .isEqualTo(Reason.MALFORMED_BODY);
        var twice = Map.of("ce-id", List.of("1", "2"));
        assertThat(reason(verifier.verify(WebhookRequest.of(twice, new byte[0]))))
                .isEqualTo(Reason.DUPLICATE_HEADER);
    }

    @Test
    void garbageIsRefusedAndNeverThrows() {
        Random random = new Random(42);
        for (SignedCase sent : SignedCase.all()) {
            Verifier verifier = sent.verifier(sent.secret());
            for (int round = 0; round < 50; round++) {
                byte[] body = new byte[random.nextInt(60)];
                random.nextBytes(body);
                Map<String, List<String>> headers = new HashMap<>(sent.headers());
                byte[] noise = new byte[random.nextInt(80)];
                random.nextBytes(noise);
                headers.put(sent.signatureAt(), List.of(new String(noise, round % 2 == 0 ? UTF_8 : ISO_8859_1)));

                assertThat(verifier.verify(request(headers, body))).isInstanceOf(Refused.class);
            }
            Map<String, List<String>> strange = new HashMap<>();
            strange.put(null, List.of("HTTP/1.1 200"));
            strange.put(sent.signatureAt(), Collections.singletonList(null));
            assertThat(reason(verifier.verify(request(strange, new byte[0])))).isEqualTo(Reason.MISSING_HEADER);
        }
    }

    /** A signed body of any shape is an event: ids are found or replaced by the digest, and nothing is thrown. */
    @Test
    void aGenuineBodyOfAnyShapeIsAnEvent() {
        for (String body : List.of(
                "",
                "null",
                "1",
                "\"x\"",
                "[]",
                "{",
                "{\"id\":null}",
                "{\"id\":{}}",
                "{\"id\":[1]}",
                "{\"id\":1,\"id\":2}",
                "[".repeat(5000),
                "{\"id\":1e999999999}",
                "\uFEFF{}",
                "{\"id\":\"\\ud800\"}")) {
            WebhookEvent event = events(verify("Stripe", body)).get(0);

            assertThat(event.text()).isEqualTo(body);
            assertThat(event.id())
                    .as(body)
                    .isIn(event.digest(), event.member("id").orElse(""));
        }
        assertThat(events(verify("Stripe", "{\"id\":7}")).get(0).id()).isEqualTo("7");
    }

    @Test
    void whatIsHandedOutCanNotChangeWhatWasVerified() {
        SignedCase sent = SignedCase.of("GitHub");
        byte[] body = sent.bytes();
        WebhookRequest request = request(sent.headers(), body);
        body[0] = 'X';
        WebhookEvent event =
                events(sent.verifier(sent.secret()).verify(request)).get(0);
        event.bytes()[0] = 'Y';

        assertThat(event.text()).isEqualTo(sent.body()).doesNotContain(event.toString());
    }

    @Test
    void aSecretThatCanNotBeRightIsRefusedAtTheStart() {
        for (String secret : List.of("", " ", "secret\n")) {
            assertThatThrownBy(() -> Verifier.of(Sender.STRIPE, secret)).hasMessageContaining("a secret of stripe");
        }
        for (String secret : List.of("whsec_%%%", "whpk_AAAA", "whsk_AAAA")) {
            assertThatThrownBy(() -> Verifier.of(Sender.STANDARD_WEBHOOKS, secret))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasNoCause()
                    .message()
                    .contains("give it as the sender shows it")
                    .doesNotContain(secret);
        }
        assertThatThrownBy(() -> Verifier.of(Sender.SENDGRID, "AAAA")).hasMessageContaining("public key");
        assertThatThrownBy(() -> Verifier.of(Sender.GITHUB)).hasMessageContaining("give a secret");
        assertThatThrownBy(() -> Verifier.of(Sender.CLOUD_EVENTS, "a")).hasMessageContaining("does not sign");
    }

    @Test
    void aSenderThatWouldLeaveBodyTimeOrIdUnsignedIsRefused() {
        Sender acme = Sender.hmac("acme", "X-Signature");

        assertThatThrownBy(() -> Verifier.of(acme.signed("{url}"), "a")).hasMessageContaining("the body of acme");
        assertThatThrownBy(() -> Verifier.of(acme.time(Place.header("X-Time")), "a"))
                .hasMessageContaining("the time of acme");
        assertThatThrownBy(() -> Verifier.of(acme.time(Place.member("time")).signed("{time}{body}"), "a"))
                .hasMessageContaining("the time of acme");
        assertThatThrownBy(() -> Verifier.of(acme.signed("{time}{body}"), "a"))
                .hasMessageContaining("the time of acme");
        assertThatThrownBy(() -> Verifier.of(
                        acme.algorithm(Algorithm.TOKEN)
                                .time(Place.header("X-Time"))
                                .signed("{time}{body}"),
                        "a"))
                .hasMessageContaining("the time of acme");
        assertThatThrownBy(() -> Verifier.of(acme.id(Place.header("X-Id")).signed("{id}{body}"), "a"))
                .hasMessageContaining("signs {id}");
        assertThatThrownBy(() -> Verifier.of(acme.signed("{id}.{body}"), "a")).hasMessageContaining("signs {id}");
        assertThatThrownBy(() -> acme.signed("{bdy}")).hasMessageContaining("use one of {body}");
        assertThatThrownBy(() -> Sender.named("acme")).hasMessageContaining("use one of stripe, github");
    }

    @Test
    void matchCallsTheFunctionOfTheCase() {
        assertThat(verify("Stripe", "{}").<String>match(a -> "accepted", r -> "refused", h -> "handshake"))
                .isEqualTo("accepted");
        assertThat(new Refused(Reason.TOO_OLD, "")
                        .<Integer>match(a -> 200, r -> r.reason().status(), h -> 200))
                .isEqualTo(401);
        assertThat(new Handshake("text/plain", "x").<String>match(a -> "", r -> "", Handshake::body))
                .isEqualTo("x");
    }
}
