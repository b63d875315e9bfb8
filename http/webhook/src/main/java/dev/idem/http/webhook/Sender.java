package dev.idem.http.webhook;

import static dev.idem.http.webhook.Place.digest;
import static dev.idem.http.webhook.Place.header;
import static dev.idem.http.webhook.Place.item;
import static dev.idem.http.webhook.Place.member;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How a sender signs its webhooks, and where it puts time, id and type. The constants are the table of known senders;
 * {@link #hmac} begins the description of another:
 *
 * <pre>{@code
 * Sender acme = Sender.hmac("acme", "X-Acme-Signature").prefix("sha256=").time(Place.header("X-Acme-Time"))
 *         .signed("{time}.{body}").id(Place.member("event.id"));
 * }</pre>
 *
 * <p>Immutable and thread-safe: every setter returns another sender.
 */
public final class Sender {
    private static final Pattern AROUND_PARTS = Pattern.compile("(?=\\{)|(?<=\\})");
    private static final Set<String> PARTS = Set.of("{time}", "{id}", "{url}", "{body}", "{form}");

    /** Stripe. */
    public static final Sender STRIPE = hmac("stripe", "Stripe-Signature")
            .items(",", "v1=")
            .time(item("t="))
            .signed("{time}.{body}")
            .id(member("id"))
            .type(member("type"));

    /** GitHub. */
    public static final Sender GITHUB = hmac("github", "X-Hub-Signature-256")
            .prefix("sha256=")
            .id(header("X-GitHub-Delivery"))
            .type(header("X-GitHub-Event"));

    /** GitLab with a secret token. With a signing token GitLab sends {@link #STANDARD_WEBHOOKS}. */
    public static final Sender GITLAB = hmac("gitlab", "X-Gitlab-Token")
            .algorithm(Algorithm.TOKEN)
            .id(header("Idempotency-Key"))
            .type(header("X-Gitlab-Event"));

    /** Slack: events, commands and interactions. */
    public static final Sender SLACK = hmac("slack", "X-Slack-Signature")
            .prefix("v0=")
            .time(header("X-Slack-Request-Timestamp"))
            .signed("v0:{time}:{body}")
            .id(member("event_id"))
            .type(member("event.type"))
            .type(member("type"))
            .with(copy -> copy.challenge = "url_verification");

    /** Shopify, with header names that begin with {@code X-Shopify-} or, for its newer events, {@code Shopify-}. */
    public static final Sender SHOPIFY = hmac("shopify", "X-Shopify-Hmac-Sha256")
            .base64()
            .id(header("X-Shopify-Shop-Domain"), header("X-Shopify-Webhook-Id"))
            // All deliveries of one action of a merchant share the event id, whatever their topic.
            .id(header("X-Shopify-Shop-Domain"), header("X-Shopify-Topic"), header("X-Shopify-Event-Id"), digest())
            .id(header("X-Shopify-Topic"), digest())
            .type(header("X-Shopify-Topic"))
            .with(copy -> copy.dialect = request -> request.renamed("Shopify-", "X-Shopify-"));

    /** Standard Webhooks: HMAC (v1) with secrets {@code whsec_…}, Ed25519 (v1a) with public keys {@code whpk_…}. */
    public static final Sender STANDARD_WEBHOOKS = standard("standard-webhooks", "webhook-");

    /** Svix: Standard Webhooks with headers of its own. */
    public static final Sender SVIX = standard("svix", "svix-");

    /** SendGrid's event webhook. The secret is the verification key that SendGrid shows. */
    public static final Sender SENDGRID = hmac("sendgrid", "X-Twilio-Email-Event-Webhook-Signature")
            .algorithm(Algorithm.ECDSA_SHA256)
            .base64()
            .time(header("X-Twilio-Email-Event-Webhook-Timestamp"))
            .signed("{time}{body}")
            .id(member("sg_event_id"))
            .type(member("event"))
            .batch("");

    /** Twilio. Needs the public URL. Its signature covers the decoded fields of a form, not the bytes. */
    public static final Sender TWILIO = hmac("twilio", "X-Twilio-Signature")
            .algorithm(Algorithm.HMAC_SHA1)
            .base64()
            .signed("{url}{form}")
            .id(header("I-Twilio-Idempotency-Token"));

    /** Square. Needs the public URL. */
    public static final Sender SQUARE = hmac("square", "x-square-hmacsha256-signature")
            .base64()
            .signed("{url}{body}")
            .id(member("event_id"))
            .type(member("type"));

    /** Paddle. */
    public static final Sender PADDLE = hmac("paddle", "Paddle-Signature")
            .items(";", "h1=")
            .time(item("ts="))
            .signed("{time}:{body}")
            .id(member("event_id"))
            .type(member("event_type"));

    /** CloudEvents over HTTP: binary, structured and batched. There is no signature: check the caller yourself. */
    public static final Sender CLOUD_EVENTS = hmac("cloudevents", "")
            .algorithm(Algorithm.NONE)
            .id(header("ce-source"), header("ce-id"))
            .id(member("source"), member("id"))
            .type(header("ce-type"))
            .type(member("type"))
            .batch("application/cloudevents-batch+json")
            .with(copy -> copy.dialect = request -> request.decoded("ce-"));

    private static final List<Sender> ALL = Stream.concat(
                    Stream.of(STRIPE, GITHUB, GITLAB, SLACK, SHOPIFY, STANDARD_WEBHOOKS, SVIX, SENDGRID),
                    Stream.of(TWILIO, SQUARE, PADDLE, CLOUD_EVENTS))
            .toList();

    private final String name;
    private final String signatureHeader;
    List<Scheme> schemes = List.of(new Scheme("", "", Algorithm.HMAC_SHA256, false));
    boolean hex = true;
    List<String> content = List.of("{body}");

    @Nullable
    Place time;

    List<List<Place>> ids = List.of();
    List<Place> types = List.of();
    /** The type of a request that only asks for its own challenge. */
    @Nullable
    String challenge;

    @Nullable
    String separator;

    @Nullable
    String batch;

    /** Brings a request into the form that the places describe. */
    UnaryOperator<WebhookRequest> dialect = UnaryOperator.identity();

    private Sender(String name, String signatureHeader) {
        this.name = name;
        this.signatureHeader = signatureHeader;
    }

    private Sender with(Consumer<Sender> change) {
        Sender copy = new Sender(name, signatureHeader);
        copy.schemes = schemes;
        copy.hex = hex;
        copy.separator = separator;
        copy.content = content;
        copy.time = time;
        copy.ids = ids;
        copy.types = types;
        copy.batch = batch;
        copy.challenge = challenge;
        copy.dialect = dialect;
        change.accept(copy);
        return copy;
    }

    private static Sender standard(String name, String names) {
        return hmac(name, names + "signature")
                .items(" ", "")
                .base64()
                .time(header(names + "timestamp"))
                .id(header(names + "id"))
                .signed("{id}.{time}.{body}")
                .type(member("type"))
                .with(copy -> copy.schemes = List.of(
                        new Scheme("whpk_", "v1a,", Algorithm.ED25519, true),
                        new Scheme("whsec_", "v1,", Algorithm.HMAC_SHA256, true),
                        new Scheme("", "v1,", Algorithm.HMAC_SHA256, true)));
    }

    /** The known senders. */
    public static List<Sender> all() {
        return ALL;
    }

    /**
     * The known sender with this name, for instance {@code stripe}.
     *
     * @throws IllegalArgumentException for another name
     */
    public static Sender named(String name) {
        return ALL.stream()
                .filter(sender -> sender.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the sender '" + name + "' is not known; use one of "
                        + ALL.stream().map(Sender::name).collect(Collectors.joining(", "))
                        + ", or describe it with Sender.hmac"));
    }

    /**
     * Another sender. Until changed: one signature in this header, the HMAC-SHA256 of the body in hex; no time; the
     * digest of the body is the id.
     */
    public static Sender hmac(String name, String signatureHeader) {
        return new Sender(name, signatureHeader);
    }

    /** Sets how the sender signs. Default: HMAC with SHA-256. */
    public Sender algorithm(Algorithm algorithm) {
        boolean base64 = algorithm.isPublicKey();
        return with(copy -> copy.schemes = List.of(new Scheme("", prefix(), algorithm, base64)));
    }

    /** Declares that signatures are in base64. Default: hex. */
    public Sender base64() {
        return with(copy -> copy.hex = false);
    }

    /** Sets the text before the signature, for instance {@code sha256=}. Default: none. */
    public Sender prefix(String prefix) {
        Scheme scheme = schemes.get(0);
        return with(copy -> copy.schemes = List.of(new Scheme("", prefix, scheme.algorithm(), scheme.base64Secret())));
    }

    private String prefix() {
        return schemes.get(0).prefix();
    }

    /** Declares that the header is a list, and that its items with this prefix are signatures; one has to fit. */
    public Sender items(String between, String prefix) {
        return prefix(prefix).with(copy -> copy.separator = between);
    }

    /**
     * Sets the signed content: text with the parts <code>{body}</code>, <code>{time}</code>, <code>{id}</code> and
     * <code>{url}</code>, and <code>{form}</code> for the sorted fields of a form. Default: <code>{body}</code>.
     *
     * @throws IllegalArgumentException for another part
     */
    public Sender signed(String template) {
        List<String> parts = List.of(AROUND_PARTS.split(template));
        for (String part : parts) {
            if (part.startsWith("{") && !PARTS.contains(part)) {
                throw new IllegalArgumentException("'" + part + "' is no part of signed content; use one of "
                        + PARTS.stream().sorted().collect(Collectors.joining(", ")));
            }
        }
        return with(copy -> copy.content = parts);
    }

    /** Sets where the time of sending is, in seconds since 1970. It has to be signed. Default: the sender has none. */
    public Sender time(Place place) {
        return with(copy -> copy.time = place);
    }

    /**
     * Adds where the event id is. Several places are parts of one id. A second call adds another choice, for requests
     * in which a part of the first is absent. Default: the digest of the body is the id.
     */
    public Sender id(Place... parts) {
        List<List<Place>> more = new ArrayList<>(ids);
        more.add(List.of(parts));
        return with(copy -> copy.ids = List.copyOf(more));
    }

    /** Adds where the type is. A second call adds another choice. Default: events have no type. */
    public Sender type(Place place) {
        List<Place> more = new ArrayList<>(types);
        more.add(place);
        return with(copy -> copy.types = List.copyOf(more));
    }

    /** Declares that the body is a JSON array of events, if its content type begins so; empty for every request. */
    public Sender batch(String contentType) {
        return with(copy -> copy.batch = contentType);
    }

    /** The name, for instance {@code stripe}. */
    public String name() {
        return name;
    }

    /** The name of the header with the signature or token; empty for a sender that does not sign. */
    public String signatureHeader() {
        return signatureHeader;
    }

    /** Whether the sender signs the time of sending. */
    public boolean timestamped() {
        return time != null;
    }

    /** Whether the signature covers the body. */
    public boolean signsBody() {
        return isCryptographic() && (content.contains("{body}") || content.contains("{form}"));
    }

    /** Whether the signature covers the public URL, so that {@link WebhookRequest#at} is needed. */
    public boolean signsUrl() {
        return isCryptographic() && content.contains("{url}");
    }

    /** Whether the signature covers the id that {@link #id} finds. */
    boolean signsId() {
        boolean inBody = ids.stream().flatMap(List::stream).noneMatch(place -> place.kind() == Place.Kind.HEADER);
        return signsBody() && (content.contains("{id}") || inBody);
    }

    private boolean isCryptographic() {
        return !schemes.get(0).algorithm().jdk.isEmpty();
    }

    /** Whether a signed id holds the text after it, so that a part of it could be read as the next part. */
    boolean isAmbiguous(String id) {
        int place = content.indexOf("{id}");
        return place >= 0 && place + 1 < content.size() && id.contains(content.get(place + 1));
    }

    boolean signs() {
        return schemes.get(0).algorithm() != Algorithm.NONE;
    }

    boolean batched(WebhookRequest request) {
        String type = request.header("Content-Type");
        return batch != null
                && (batch.isEmpty() || (type != null && type.regionMatches(true, 0, batch, 0, batch.length())));
    }

    /** The items of the signature header. */
    List<String> items(String value) {
        return separator == null
                ? List.of(value)
                : Stream.of(value.split(Pattern.quote(separator), -1))
                        .map(String::strip)
                        .toList();
    }

    /** The headers without which nothing can be checked. */
    Set<String> requiredHeaders() {
        Set<String> names = new LinkedHashSet<>();
        if (signs()) {
            names.add(signatureHeader);
        }
        if (time != null && time.kind() == Place.Kind.HEADER) {
            names.add(time.name());
        }
        if (content.contains("{id}")) {
            names.add(ids.get(0).get(0).name());
        }
        return names;
    }

    /** The headers whose value matters. */
    Set<String> headers() {
        Set<String> names = requiredHeaders();
        Stream.concat(ids.stream().flatMap(List::stream), types.stream())
                .filter(place -> place.kind() == Place.Kind.HEADER)
                .forEach(place -> names.add(place.name()));
        if (batch != null && !batch.isEmpty()) {
            names.add("Content-Type");
        }
        return names;
    }

    /** Refuses a description that would accept more than it seems to. */
    void check() {
        if (isCryptographic() && !signsBody()) {
            throw new IllegalArgumentException("the body of " + name + " is not signed; put {body} into signed(...)");
        }
        boolean signsTime = isCryptographic() && content.contains("{time}");
        if (signsTime != (time != null && time.kind() != Place.Kind.MEMBER)) {
            throw new IllegalArgumentException("the time of " + name
                    + " has to be signed, and in a header; put {time} into signed(...) and its place into time(...)");
        }
        boolean idInHeader =
                ids.size() == 1 && ids.get(0).size() == 1 && ids.get(0).get(0).kind() == Place.Kind.HEADER;
        int id = content.indexOf("{id}");
        if (id >= 0 && (!idInHeader || id + 1 == content.size() || PARTS.contains(content.get(id + 1)))) {
            throw new IllegalArgumentException(
                    name + " signs {id}; put text after it, and say with one id(Place.header(...)) where it is");
        }
    }

    @Override
    public String toString() {
        return "Sender[" + name + "]";
    }
}
