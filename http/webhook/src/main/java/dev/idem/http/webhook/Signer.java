package dev.idem.http.webhook;

import dev.idem.Json;
import dev.idem.JsonException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Signs bodies as a sender does, to test an endpoint. {@code idem webhook} does the same on the command line.
 *
 * <pre>{@code
 * Signer signer = Signer.of(Sender.STRIPE);
 * Verifier verifier = Verifier.of(Sender.STRIPE, signer.endpointSecret().orElseThrow());
 * Signer.Signed signed = signer.sign(body);
 * }</pre>
 *
 * <p>Immutable and thread-safe: every setter returns another signer.
 */
public final class Signer {
    /** The secret of {@link #of(Sender)} for senders whose secret is any text. Everybody knows it. */
    public static final String TEST_SECRET = "idem-test-secret";

    /** The secret of {@link #of(Sender)} for Standard Webhooks and Svix. Everybody knows it. */
    public static final String TEST_WHSEC = "whsec_aWRlbS10ZXN0LXNlY3JldC1mb3ItZGV2";

    /** An Ed25519 private key for Standard Webhooks and Svix. Everybody knows it. */
    public static final String TEST_WHSK =
            "whsk_yKjL+JAgfp/sut3KRSQp0Ql3BCOg3afSbvf3ltz1L2vFGeWUsYT8aep/L2w//+fQpfPxLToiWMz0i9wRiywuAA==";

    private static final Pattern FORM = Pattern.compile("[\\w.%+-]+=\\S*");
    private static final int LONGEST_ID = 1000;
    private static final long LAST_SECOND = 999_999_999_999L;

    private final Sender sender;
    private final @Nullable SigningKey key;
    private InstantSource clock = InstantSource.system();
    private @Nullable String id;
    private @Nullable String type;
    private @Nullable String url;

    private Signer(Sender sender, @Nullable SigningKey key) {
        this.sender = sender;
        this.key = key;
    }

    private Signer with(Consumer<Signer> change) {
        Signer copy = new Signer(sender, key);
        copy.clock = clock;
        copy.id = id;
        copy.type = type;
        copy.url = url;
        change.accept(copy);
        return copy;
    }

    /**
     * A request that is ready to be sent.
     *
     * @param headers the headers, in the order of sending
     * @param url the URL that was signed, for senders that sign it. It may have one part more than the given one:
     *     Twilio appends the digest of a JSON body. Post to it
     * @param request the same as the endpoint sees it
     */
    public record Signed(Map<String, String> headers, Optional<String> url, WebhookRequest request) {}

    /** Signs with a secret that everybody knows. {@link #endpointSecret} is its counterpart for the endpoint. */
    public static Signer of(Sender sender) {
        sender.check();
        return new Signer(sender, sender.signs() ? SigningKey.forTests(sender) : null);
    }

    /**
     * Signs with a secret of yours.
     *
     * @param secret as the sender shows it; for Ed25519 the private key {@code whsk_…}, for ECDSA base64 of the private
     *     key in its PKCS#8 form
     * @throws IllegalArgumentException if the secret does not have that form, or the sender does not sign; the message
     *     shows no secret
     */
    public static Signer of(Sender sender, String secret) {
        sender.check();
        if (!sender.signs()) {
            throw new IllegalArgumentException(sender.name() + " does not sign its requests; give no secret");
        }
        return new Signer(sender, SigningKey.of(sender, secret));
    }

    /** Sets the time of sending. Default: now. Senders without a time ignore it. */
    public Signer at(Instant time) {
        return with(copy -> copy.clock = InstantSource.fixed(time));
    }

    /**
     * Sets the id of the event. Default: made from the body, so that the same body is the same event.
     *
     * @throws IllegalArgumentException if the sender has its id in the body
     */
    public Signer id(String given) {
        List<Place> places = sender.ids.isEmpty() ? List.of() : sender.ids.get(0);
        if (places.isEmpty() || places.get(places.size() - 1).kind() != Place.Kind.HEADER) {
            throw new IllegalArgumentException(sender.name() + " sends no id in a header; "
                    + inTheBody(places, "the digest of the body is the id"));
        }
        if (given.isBlank() || given.length() > LONGEST_ID || sender.isAmbiguous(given)) {
            throw new IllegalArgumentException("an id of " + sender.name() + " is 1-" + LONGEST_ID
                    + " characters without the separator of what it signs");
        }
        return with(copy -> copy.id = given);
    }

    /**
     * Sets the type of the event. Default: {@code test}.
     *
     * @throws IllegalArgumentException if the sender has its type in the body
     */
    public Signer type(String given) {
        if (sender.types.isEmpty() || sender.types.get(0).kind() != Place.Kind.HEADER) {
            throw new IllegalArgumentException(
                    sender.name() + " sends no type in a header; " + inTheBody(sender.types, "its events have none"));
        }
        return with(copy -> copy.type = given);
    }

    private static String inTheBody(List<Place> places, String otherwise) {
        return places.isEmpty()
                ? otherwise
                : "put it into the member "
                        + places.stream().map(Place::name).collect(Collectors.joining(" and "))
                        + " of the body";
    }

    /** Sets the public URL of the endpoint. Twilio and Square sign it; other senders ignore it. */
    public Signer url(String publicUrl) {
        return with(copy -> copy.url = publicUrl);
    }

    /**
     * The secret that the endpoint needs: the same secret, or the public key. Empty for a sender that does
     * not sign, and for a private key that does not hold its public key.
     */
    public Optional<String> endpointSecret() {
        return key == null ? Optional.empty() : Optional.ofNullable(key.endpointSecret());
    }

    /**
     * Signs a body. Whatever it holds, the endpoint's signature check accepts it.
     *
     * @throws IllegalArgumentException if the sender signs the URL and there is none, if the body is not the form that
     *     the sender signs, or if a header can't hold its value
     */
    public Signed sign(byte[] body) {
        String address = sender.signsUrl() ? publicUrl(body) : null;
        Object json = json(body);
        Map<String, String> headers = new LinkedHashMap<>();
        boolean structured = id == null && isStructured(json);
        headers.put("Content-Type", contentType(body, json, structured));
        String eventId = id == null ? UUID.nameUUIDFromBytes(body).toString() : id;
        if (!structured) {
            identify(headers, eventId);
        }
        long seconds = clock.instant().getEpochSecond();
        if (seconds < 0 || seconds > LAST_SECOND) {
            throw new IllegalArgumentException(
                    "a time of sending is a number of seconds since 1970; give a later time");
        }
        String time = Long.toString(seconds);
        if (sender.time != null && sender.time.kind() == Place.Kind.HEADER) {
            headers.put(sender.time.name(), time);
        }
        if (key != null) {
            WebhookRequest unsigned = request(Map.of(), body, address);
            headers.put(sender.signatureHeader(), signature(key, unsigned, time, eventId));
        }
        headers.forEach(Signer::checkHeader);
        return new Signed(
                Collections.unmodifiableMap(headers), Optional.ofNullable(address), request(headers, body, address));
    }

    private String signature(SigningKey by, WebhookRequest request, String seconds, String eventId) {
        List<byte[]> content = SignedContent.of(sender, request, seconds, eventId);
        if (content == null) {
            throw new IllegalArgumentException("the body is not a form with fields like name=value&other=value, and "
                    + sender.name() + " signs those; for JSON leave bodySHA256 out of the URL");
        }
        String signature = by.sign(content);
        Place time = sender.time;
        String separator = sender.separator == null ? "" : sender.separator;
        return time != null && time.kind() == Place.Kind.ITEM
                ? time.name() + seconds + separator + signature
                : signature;
    }

    private String publicUrl(byte[] body) {
        if (url == null) {
            throw new IllegalArgumentException(
                    sender.name() + " signs the public URL of the endpoint; set it: signer.url(\"https://…\")");
        }
        boolean digest = sender.content.contains("{form}") && json(body) != null && !url.contains("bodySHA256=");
        return digest
                ? url + (url.contains("?") ? "&" : "?") + "bodySHA256="
                        + HexFormat.of().formatHex(Digests.sha256(body))
                : url;
    }

    /** Whether the body holds what the sender else puts into headers, as an event of CloudEvents may. */
    private boolean isStructured(@Nullable Object json) {
        Object event = json instanceof List<?> elements && !elements.isEmpty() ? elements.get(0) : json;
        return sender.ids.stream()
                .skip(1)
                .anyMatch(places -> places.stream()
                        .allMatch(place ->
                                place.kind() == Place.Kind.MEMBER && WebhookEvent.member(event, place.name()) != null));
    }

    private void identify(Map<String, String> headers, String eventId) {
        List<Place> places = sender.ids.isEmpty() ? List.of() : sender.ids.get(0);
        for (Place place : places) {
            if (place.kind() == Place.Kind.HEADER) {
                // Of an id with several parts, the last is the event's own.
                headers.put(place.name(), place.equals(places.get(places.size() - 1)) ? eventId : "idem.test");
            }
        }
        if (!sender.types.isEmpty() && sender.types.get(0).kind() == Place.Kind.HEADER) {
            headers.put(sender.types.get(0).name(), type == null ? "test" : type);
        }
        if (sender.equals(Sender.CLOUD_EVENTS)) {
            headers.put("ce-specversion", "1.0");
            headers.replaceAll((name, value) -> name.startsWith("ce-") ? encoded(value) : value);
        }
    }

    /** The value of a header of CloudEvents, where per cent signs, quotes, blanks and all but ASCII are encoded. */
    private static String encoded(String value) {
        StringBuilder text = new StringBuilder();
        for (byte each : value.getBytes(StandardCharsets.UTF_8)) {
            boolean plain = each > ' ' && each < 0x7f && each != '"' && each != '%';
            text.append(plain ? String.valueOf((char) each) : String.format("%%%02X", each));
        }
        return text.toString();
    }

    private String contentType(byte[] body, @Nullable Object json, boolean structured) {
        if (structured && sender.batch != null) {
            return json instanceof List<?> ? sender.batch : sender.batch.replace("-batch", "");
        }
        boolean form = json == null
                && FORM.matcher(new String(body, StandardCharsets.UTF_8)).matches();
        return form ? "application/x-www-form-urlencoded" : "application/json";
    }

    private static void checkHeader(String name, String value) {
        if (value.isBlank() || !value.equals(value.strip()) || !value.chars().allMatch(c -> c >= ' ' && c < 0x7f)) {
            throw new IllegalArgumentException(
                    "the header " + name + " can't hold this value; use visible ASCII characters");
        }
    }

    private static WebhookRequest request(Map<String, String> headers, byte[] body, @Nullable String url) {
        Map<String, List<String>> lines = new LinkedHashMap<>();
        headers.forEach((name, value) -> lines.put(name, List.of(value)));
        WebhookRequest request = WebhookRequest.of(lines, body);
        return url == null ? request : request.at(url);
    }

    /** The body as JSON; null if it is a form or something else. */
    private static @Nullable Object json(byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8).stripLeading();
        try {
            return text.startsWith("{") || text.startsWith("[") ? Json.parseExact(body) : null;
        } catch (JsonException notJson) {
            return null;
        }
    }

    /** Shows no secret. */
    @Override
    public String toString() {
        return "Signer[" + sender.name() + "]";
    }
}
