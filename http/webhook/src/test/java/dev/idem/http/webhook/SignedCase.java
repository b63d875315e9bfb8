package dev.idem.http.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A sender as its documentation describes it: signs with the JDK and shares no code with the verifier.
 *
 * @param covers the parts that the signature covers: body, time, id
 * @param timeAt the header of the time; empty where there is none
 * @param idAt the header of the id; empty where it is in the body
 */
record SignedCase(
        String name,
        Sender sender,
        String secret,
        String otherSecret,
        String body,
        String covers,
        String signatureAt,
        String timeAt,
        String idAt,
        Signer signer) {
    static final long NOW = 1_700_000_000;
    static final String URL = "https://hooks.example.com/in?tenant=7";

    private static final String JSON = "{\"id\":\"evt_1\",\"event_id\":\"evt_1\",\"type\":\"paid\",\"n\":1}";
    private static final Map<String, PrivateKey> PRIVATE_KEYS = new HashMap<>();
    private static final String[] WHPK = {ed25519(), ed25519()};
    private static final String[] ECDSA = {ecdsa(), ecdsa()};
    private static final String[] WHSEC = {
        "whsec_" + base64("twenty-four bytes secret".getBytes(UTF_8)),
        "whsec_" + base64("another secret, 24 bytes".getBytes(UTF_8))
    };

    /** Gives the value of the signature header. */
    interface Signer {
        String sign(String secret, String time, String id, byte[] body) throws GeneralSecurityException;
    }

    static List<SignedCase> all() {
        return List.of(
                new SignedCase(
                        "Stripe",
                        Sender.STRIPE,
                        "whsec_a",
                        "whsec_b",
                        JSON,
                        "body time id",
                        "Stripe-Signature",
                        "",
                        "",
                        (secret, time, id, body) -> "t=" + time + ",v1="
                                + hex(hmac("HmacSHA256", secret.getBytes(UTF_8), join(time + ".", body)))),
                new SignedCase(
                        "GitHub",
                        Sender.GITHUB,
                        "the first secret",
                        "the second secret",
                        JSON,
                        "body",
                        "X-Hub-Signature-256",
                        "",
                        "X-GitHub-Delivery",
                        (secret, time, id, body) -> "sha256=" + hex(hmac("HmacSHA256", secret.getBytes(UTF_8), body))),
                new SignedCase(
                        "GitLab",
                        Sender.GITLAB,
                        "the first secret",
                        "the second secret",
                        JSON,
                        "",
                        "X-Gitlab-Token",
                        "",
                        "Idempotency-Key",
                        (secret, time, id, body) -> secret),
                new SignedCase(
                        "Slack",
                        Sender.SLACK,
                        "the first secret",
                        "the second secret",
                        JSON,
                        "body time id",
                        "X-Slack-Signature",
                        "X-Slack-Request-Timestamp",
                        "",
                        (secret, time, id, body) -> "v0="
                                + hex(hmac("HmacSHA256", secret.getBytes(UTF_8), join("v0:" + time + ":", body)))),
                new SignedCase(
                        "Shopify",
                        Sender.SHOPIFY,
                        "the first secret",
                        "the second secret",
                        JSON,
                        "body",
                        "X-Shopify-Hmac-Sha256",
                        "",
                        "X-Shopify-Webhook-Id",
                        (secret, time, id, body) -> base64(hmac("HmacSHA256", secret.getBytes(UTF_8), body))),
                new SignedCase(
                        "Standard Webhooks v1",
                        Sender.STANDARD_WEBHOOKS,
                        WHSEC[0],
                        WHSEC[1],
                        JSON,
                        "body time id",
                        "webhook-signature",
                        "webhook-timestamp",
                        "webhook-id",
                        SignedCase::standardHmac),
                new SignedCase(
                        "Standard Webhooks v1a",
                        Sender.STANDARD_WEBHOOKS,
                        WHPK[0],
                        WHPK[1],
                        JSON,
                        "body time id",
                        "webhook-signature",
                        "webhook-timestamp",
                        "webhook-id",
                        (secret, time, id, body) ->
                                "v1a," + base64(signed("Ed25519", secret, join(id + "." + time + ".", body)))),
                new SignedCase(
                        "Svix",
                        Sender.SVIX,
                        WHSEC[0],
                        WHSEC[1],
                        JSON,
                        "body time id",
                        "svix-signature",
                        "svix-timestamp",
                        "svix-id",
                        SignedCase::standardHmac),
                new SignedCase(
                        "SendGrid",
                        Sender.SENDGRID,
                        ECDSA[0],
                        ECDSA[1],
                        "[{\"sg_event_id\":\"evt_1\",\"event\":\"paid\",\"n\":1}]\r\n",
                        "body time id",
                        "X-Twilio-Email-Event-Webhook-Signature",
                        "X-Twilio-Email-Event-Webhook-Timestamp",
                        "",
                        (secret, time, id, body) -> base64(signed("SHA256withECDSA", secret, join(time, body)))),
                new SignedCase(
                        "Twilio",
                        Sender.TWILIO,
                        "the first secret",
                        "the second secret",
                        "CallSid=CA1&Digits=1234",
                        "body",
                        "X-Twilio-Signature",
                        "",
                        "I-Twilio-Idempotency-Token",
                        SignedCase::twilio),
                new SignedCase(
                        "Square",
                        Sender.SQUARE,
                        "the first secret",
                        "the second secret",
                        JSON,
                        "body id",
                        "x-square-hmacsha256-signature",
                        "",
                        "",
                        (secret, time, id, body) ->
                                base64(hmac("HmacSHA256", secret.getBytes(UTF_8), join(URL, body)))),
                new SignedCase(
                        "Paddle",
                        Sender.PADDLE,
                        "the first secret",
                        "the second secret",
                        JSON.replace("type", "event_type"),
                        "body time id",
                        "Paddle-Signature",
                        "",
                        "",
                        (secret, time, id, body) -> "ts=" + time + ";h1="
                                + hex(hmac("HmacSHA256", secret.getBytes(UTF_8), join(time + ":", body)))),
                new SignedCase(
                        "a generic HMAC",
                        Sender.hmac("acme", "X-Acme-Signature")
                                .algorithm(Algorithm.HMAC_SHA512)
                                .prefix("s=")
                                .time(Place.header("X-Acme-Time"))
                                .signed("{time}|{body}")
                                .id(Place.member("id"))
                                .type(Place.member("type")),
                        "the first secret",
                        "the second secret",
                        JSON,
                        "body time id",
                        "X-Acme-Signature",
                        "X-Acme-Time",
                        "",
                        (secret, time, id, body) ->
                                "s=" + hex(hmac("HmacSHA512", secret.getBytes(UTF_8), join(time + "|", body)))));
    }

    static SignedCase of(String name) {
        return all().stream().filter(each -> each.name.equals(name)).findFirst().orElseThrow();
    }

    boolean covers(String part) {
        return covers.contains(part);
    }

    boolean isList() {
        return List.of("Stripe", "Standard Webhooks v1", "Standard Webhooks v1a", "Svix", "Paddle")
                .contains(name);
    }

    Verifier verifier(String... secrets) {
        return Verifier.of(sender, secrets).clock(InstantSource.fixed(Instant.ofEpochSecond(NOW)));
    }

    String signature(String by, long time, byte[] content) {
        try {
            return signer.sign(by, Long.toString(time), "evt_1", content);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The headers of a delivery; a caller may change them. */
    Map<String, List<String>> headers(String by, long time, byte[] content) {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.put("Content-Type", List.of("application/json"));
        headers.put(signatureAt, List.of(signature(by, time, content)));
        if (!timeAt.isEmpty()) {
            headers.put(timeAt, List.of(Long.toString(time)));
        }
        if (!idAt.isEmpty()) {
            headers.put(idAt, List.of("evt_1"));
        }
        if (sender == Sender.SHOPIFY) {
            headers.put("X-Shopify-Shop-Domain", List.of("shop.example"));
        }
        return headers;
    }

    Map<String, List<String>> headers() {
        return headers(secret, NOW, bytes());
    }

    byte[] bytes() {
        return body.getBytes(UTF_8);
    }

    static WebhookRequest request(Map<String, List<String>> headers, byte[] content) {
        return WebhookRequest.of(headers, content).at(URL);
    }

    private static String standardHmac(String secret, String time, String id, byte[] body)
            throws GeneralSecurityException {
        byte[] key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
        return "v1," + base64(hmac("HmacSHA256", key, join(id + "." + time + ".", body)));
    }

    /** For bodies that are a form without escapes, or none. */
    private static String twilio(String secret, String time, String id, byte[] body) throws GeneralSecurityException {
        String fields = Arrays.stream(new String(body, UTF_8).split("&"))
                .sorted()
                .map(field -> field.replace("=", ""))
                .collect(Collectors.joining());
        return base64(hmac("HmacSHA1", secret.getBytes(UTF_8), (URL + fields).getBytes(UTF_8)));
    }

    static byte[] hmac(String algorithm, byte[] key, byte[] content) throws GeneralSecurityException {
        Mac mac = Mac.getInstance(algorithm);
        mac.init(new SecretKeySpec(key, algorithm));
        return mac.doFinal(content);
    }

    private static byte[] signed(String algorithm, String publicKey, byte[] content) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(PRIVATE_KEYS.get(publicKey));
        signature.update(content);
        return signature.sign();
    }

    private static String ed25519() {
        KeyPair pair = pair("Ed25519");
        byte[] x509 = pair.getPublic().getEncoded();
        String text = "whpk_" + base64(Arrays.copyOfRange(x509, x509.length - 32, x509.length));
        PRIVATE_KEYS.put(text, pair.getPrivate());
        return text;
    }

    private static String ecdsa() {
        KeyPair pair = pair("EC");
        String text = base64(pair.getPublic().getEncoded());
        PRIVATE_KEYS.put(text, pair.getPrivate());
        return text;
    }

    private static KeyPair pair(String algorithm) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
            if (algorithm.equals("EC")) {
                generator.initialize(256);
            }
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static byte[] join(String head, byte[] body) {
        byte[] before = head.getBytes(UTF_8);
        byte[] all = Arrays.copyOf(before, before.length + body.length);
        System.arraycopy(body, 0, all, before.length, body.length);
        return all;
    }

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    @Override
    public String toString() {
        return name;
    }
}
