package dev.idem.http.webhook;

import static dev.idem.http.webhook.SignedCase.NOW;
import static dev.idem.http.webhook.SignedCase.request;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.http.webhook.Verification.Accepted;
import dev.idem.http.webhook.Verification.Refused;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every sender against the same attacks. The deliveries are signed by {@link SignedCase}, with the JDK alone. */
class SendersTest {
    static Stream<SignedCase> senders() {
        return SignedCase.all().stream();
    }

    @Test
    void everySenderThatSignsIsTried() {
        assertThat(senders().map(SignedCase::sender))
                .containsAll(Sender.all().stream().filter(Sender::signs).toList());
    }

    @ParameterizedTest
    @MethodSource("senders")
    void aGenuineDeliveryIsAccepted(SignedCase sent) {
        Verification result = sent.verifier(sent.secret()).verify(request(sent.headers(), sent.bytes()));

        assertThat(result).isInstanceOf(Accepted.class);
        WebhookEvent event = ((Accepted) result).events().get(0);
        assertThat(event.id()).isEqualTo(sent.sender() == Sender.SHOPIFY ? "shop.example|evt_1" : "evt_1");
        assertThat(event.timestamped()).isEqualTo(sent.covers("time"));
        assertThat(event.idSigned()).isEqualTo(sent.covers("id"));
        assertThat(event.text()).isEqualTo(sent.body().strip().replaceAll("^\\[|]$", ""));
        if (!sent.name().matches("GitHub|GitLab|Shopify|Twilio")) {
            assertThat(event.type()).contains("paid");
        }
    }

    @ParameterizedTest
    @MethodSource("senders")
    void aForgedTruncatedReencodedOrReorderedBodyIsRefused(SignedCase sent) {
        String body = sent.body();
        List<String> others = List.of(
                body.replace('1', '2'),
                body.substring(0, body.length() - 1),
                body + " ",
                body.isEmpty() ? " " : body.replace("e", "\\u0065"),
                body.replace(",", ", "),
                "",
                body.replaceFirst("\"n\":1", "\"n\":1.0"),
                body.replaceFirst("(\"[a-z_]+\":\"\\w+\"),(.*),(\"n\":1)", "$3,$2,$1"));
        for (String other : others) {
            if (other.equals(body)) {
                continue;
            }
            Verification result = sent.verifier(sent.secret()).verify(request(sent.headers(), other.getBytes(UTF_8)));

            // The token of GitLab says nothing about the body.
            assertRefused(result, !sent.covers("body"), other, Reason.WRONG_SIGNATURE);
        }
        assertThat(others).filteredOn(other -> !other.equals(body)).hasSizeGreaterThan(3);
    }

    @ParameterizedTest
    @MethodSource("senders")
    void aWrongSecretIsRefused(SignedCase sent) {
        var headers = sent.headers(sent.otherSecret(), NOW, sent.bytes());

        assertRefused(
                sent.verifier(sent.secret()).verify(request(headers, sent.bytes())), false, "", Reason.WRONG_SIGNATURE);
    }

    @ParameterizedTest
    @MethodSource("senders")
    void eitherOfTwoSecretsIsAcceptedWhileTheyRotate(SignedCase sent) {
        Verifier both = sent.verifier(sent.otherSecret(), sent.secret());

        for (String by : List.of(sent.secret(), sent.otherSecret())) {
            var headers = sent.headers(by, NOW, sent.bytes());
            assertThat(both.verify(request(headers, sent.bytes()))).isInstanceOf(Accepted.class);
        }
    }

    @ParameterizedTest
    @MethodSource("senders")
    void anOldOrFutureTimeIsRefusedToTheSecond(SignedCase sent) {
        for (long away : new long[] {-300, 300, -301, 301}) {
            var headers = sent.headers(sent.secret(), NOW + away, sent.bytes());
            Verification result = sent.verifier(sent.secret()).verify(request(headers, sent.bytes()));

            boolean within = Math.abs(away) <= 300 || !sent.covers("time");
            assertRefused(result, within, "" + away, away < 0 ? Reason.TOO_OLD : Reason.IN_THE_FUTURE);
        }
    }

    @ParameterizedTest
    @MethodSource("senders")
    void aTimeThatIsNoNumberIsRefused(SignedCase sent) {
        for (String time : List.of("", "x", "-1", "+1700000000", "1700000000.5", "99999999999999999999", "0x1", "١")) {
            var headers = sent.headers();
            if (!sent.timeAt().isEmpty()) {
                headers.put(sent.timeAt(), List.of(time));
            } else if (sent.covers("time")) {
                headers.compute(
                        sent.signatureAt(), (name, old) -> List.of(old.get(0).replace("" + NOW, time)));
            } else {
                return;
            }
            assertThat(sent.verifier(sent.secret()).verify(request(headers, sent.bytes())))
                    .isInstanceOf(Refused.class);
        }
    }

    @ParameterizedTest
    @MethodSource("senders")
    void noFlippedBitInBodyTimeOrIdIsAccepted(SignedCase sent) {
        Verifier verifier = sent.verifier(sent.secret());
        byte[] body = sent.bytes();
        Map<String, List<String>> genuine = sent.headers();
        // Public keys are slow: every byte in turn, another bit of each.
        int step = sent.name().matches("SendGrid|.*v1a") ? 9 : 1;
        for (int bit = 0; sent.covers("body") && bit < body.length * 8; bit += step) {
            byte[] flipped = body.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(verifier.verify(request(genuine, flipped)))
                    .as("bit %d", bit)
                    .isInstanceOf(Refused.class);
        }
        String now = Long.toString(NOW);
        for (int bit = 0; sent.covers("time") && bit < now.length() * 8; bit += step) {
            var headers = new HashMap<>(genuine);
            String time = flip(now, bit);
            if (sent.timeAt().isEmpty()) {
                headers.compute(
                        sent.signatureAt(), (name, old) -> List.of(old.get(0).replace(now, time)));
            } else {
                headers.put(sent.timeAt(), List.of(time));
            }
            assertThat(verifier.verify(request(headers, body))).as(time).isInstanceOf(Refused.class);
        }
        for (int bit = 0; !sent.idAt().isEmpty() && bit < "evt_1".length() * 8; bit += step) {
            var headers = new HashMap<>(genuine);
            headers.put(sent.idAt(), List.of(flip("evt_1", bit)));
            // Four senders do not sign the id in their header, and their events say so.
            assertThat(verifier.verify(request(headers, body)))
                    .isInstanceOf(sent.covers("id") ? Refused.class : Accepted.class);
        }
    }

    @ParameterizedTest
    @MethodSource("senders")
    void anAbsentEmptyRepeatedOrHugeHeaderIsRefused(SignedCase sent) {
        Verifier verifier = sent.verifier(sent.secret());
        for (String name : Stream.of(sent.signatureAt(), sent.timeAt(), sent.idAt())
                .filter(each -> !each.isEmpty())
                .toList()) {
            String value = sent.headers().get(name).get(0);
            boolean needed = !name.equals(sent.idAt()) || sent.covers("id");

            assertRefused(verifier.verify(changed(sent, name)), !needed, name, Reason.MISSING_HEADER);
            assertRefused(verifier.verify(changed(sent, name, "")), !needed, name, Reason.MISSING_HEADER);
            assertRefused(verifier.verify(changed(sent, name, value, value)), false, name, Reason.DUPLICATE_HEADER);
            assertRefused(verifier.verify(changed(sent, name, "a".repeat(8193))), false, name, Reason.HEADER_TOO_LARGE);
        }
    }

    @ParameterizedTest
    @MethodSource("senders")
    void headersInAnotherCaseAreFound(SignedCase sent) {
        Map<String, List<String>> headers = new HashMap<>();
        sent.headers().forEach((name, lines) -> headers.put(name.toUpperCase(Locale.ROOT), lines));

        assertThat(sent.verifier(sent.secret()).verify(request(headers, sent.bytes())))
                .isInstanceOf(Accepted.class);
    }

    @ParameterizedTest
    @MethodSource("senders")
    void anEmptyOrWronglyEncodedSignatureIsRefused(SignedCase sent) {
        String value = sent.headers().get(sent.signatureAt()).get(0);
        int end = Math.max(
                value.lastIndexOf("1=") + 2, Math.max(value.lastIndexOf("1,") + 2, value.lastIndexOf("1a,") + 3));
        String before = value.substring(0, value.contains("1=") || value.matches("v1a?,.*") ? end : 0);
        for (String signature :
                List.of("", "=", "%%%", "zz", "e", "é", "AAAA", value.substring(before.length()) + "!", "null")) {
            Verification result =
                    sent.verifier(sent.secret()).verify(changed(sent, sent.signatureAt(), before + signature));

            assertThat(result).as(before + signature).isInstanceOf(Refused.class);
        }
        assertThat(sent.verifier(sent.secret()).verify(changed(sent, sent.signatureAt(), value)))
                .isInstanceOf(Accepted.class);
    }

    /** Senders that rotate send one signature for each secret. Others send one, and a list is not theirs. */
    @ParameterizedTest
    @MethodSource("senders")
    void oneOfSeveralSignaturesIsEnoughWhereTheSenderSendsLists(SignedCase sent) {
        String right = sent.signature(sent.secret(), NOW, sent.bytes());
        String wrong = sent.signature(sent.otherSecret(), NOW, sent.bytes());
        String separator = sent.sender() == Sender.STRIPE ? "," : sent.sender() == Sender.PADDLE ? ";" : " ";
        String second = right.replaceFirst("^ts?=\\d+[,;]", "");
        String first = wrong + separator;
        String rightFirst = right + separator + wrong.replaceFirst("^ts?=\\d+[,;]", "");

        assertThat(sent.verifier(sent.secret()).verify(changed(sent, sent.signatureAt(), rightFirst)))
                .isInstanceOf(sent.isList() ? Accepted.class : Refused.class);
        assertThat(sent.verifier(sent.secret()).verify(changed(sent, sent.signatureAt(), first + second)))
                .isInstanceOf(sent.isList() ? Accepted.class : Refused.class);
        assertThat(sent.verifier(sent.secret()).verify(changed(sent, sent.signatureAt(), first.repeat(17) + second)))
                .isInstanceOf(Refused.class);
    }

    @ParameterizedTest
    @MethodSource("senders")
    void noRefusalShowsASecretOrASignature(SignedCase sent) {
        Verifier verifier = Verifier.of(sent.sender(), sent.secret());
        String right = sent.signature(sent.secret(), NOW, sent.bytes());
        for (WebhookRequest request : Arrays.asList(
                changed(sent, sent.signatureAt(), right + "0"),
                changed(sent, sent.signatureAt(), right, right),
                request(sent.headers(sent.otherSecret(), NOW, sent.bytes()), sent.bytes()),
                WebhookRequest.of(Map.of(), sent.bytes()))) {
            assertThat(verifier.verify(request)).isInstanceOfSatisfying(Refused.class, refused -> {
                assertThat(refused.detail()).doesNotContain(right).contains(";").hasSizeLessThan(300);
                if (sent.secret().length() > 5) {
                    assertThat(refused.detail() + verifier + request).doesNotContain(sent.secret());
                }
            });
        }
    }

    private static WebhookRequest changed(SignedCase sent, String header, String... lines) {
        var headers = sent.headers();
        headers.put(header, List.of(lines));
        return request(headers, sent.bytes());
    }

    private static String flip(String text, int bit) {
        byte[] bytes = text.getBytes(UTF_8);
        bytes[bit / 8] ^= (byte) (1 << bit % 8);
        return new String(bytes, ISO_8859_1);
    }

    private static void assertRefused(Verification result, boolean accepted, String what, Reason reason) {
        if (accepted) {
            assertThat(result).as(what).isInstanceOf(Accepted.class);
        } else {
            assertThat(result)
                    .as(what)
                    .isInstanceOfSatisfying(
                            Refused.class,
                            refused -> assertThat(refused.reason())
                                    .as(refused.detail())
                                    .isEqualTo(reason));
        }
    }
}
