package dev.idem.http.webhook;

import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.http.webhook.Verification.Accepted;
import dev.idem.http.webhook.Verification.Handshake;
import dev.idem.http.webhook.Verification.Refused;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks the requests of one sender: first the signature over the raw bytes, then the time, and only then reads the body
 * for the ids of its events. It records nothing; pass the events to an inbox.
 *
 * <p>Immutable and thread-safe: every setter returns another verifier.
 */
public final class Verifier {
    private static final int LARGEST_HEADER = 8 * 1024;
    private static final int LONGEST_ID = 1000;
    private static final int MOST_SIGNATURES = 16;
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,12}");

    private final Sender sender;
    private final List<Secret> secrets;
    private Duration past = Duration.ofMinutes(5);
    private Duration future = Duration.ofMinutes(5);
    private InstantSource clock = InstantSource.system();
    private int largestBody = 10 * 1024 * 1024;
    private @Nullable Function<? super WebhookEvent, @Nullable String> idFrom;

    private Verifier(Sender sender, List<Secret> secrets) {
        this.sender = sender;
        this.secrets = secrets;
    }

    private Verifier with(Consumer<Verifier> change) {
        Verifier copy = new Verifier(sender, secrets);
        copy.past = past;
        copy.future = future;
        copy.clock = clock;
        copy.largestBody = largestBody;
        copy.idFrom = idFrom;
        change.accept(copy);
        return copy;
    }

    /**
     * A verifier for a sender.
     *
     * @param secrets the secrets, tokens or public keys as the sender shows them; a signature has to fit one of them.
     *     Give the old and the new one while you rotate. None for a sender without signatures
     * @throws IllegalArgumentException if a secret does not have the sender's form, if there is none, or if the sender
     *     leaves body or time unsigned by mistake; the message shows no secret
     */
    public static Verifier of(Sender sender, String... secrets) {
        sender.check();
        if (sender.signs() != (secrets.length > 0)) {
            throw new IllegalArgumentException(
                    sender.signs()
                            ? sender.name() + " signs its requests; give a secret"
                            : sender.name()
                                    + " does not sign its requests; give no secret, and check the caller yourself");
        }
        return new Verifier(
                sender,
                Stream.of(secrets).map(secret -> Secret.of(sender, secret)).toList());
    }

    /** Sets how long ago and how far ahead the time of a request may be. Default: 5 minutes each. */
    public Verifier tolerance(Duration intoThePast, Duration intoTheFuture) {
        if (intoThePast.isNegative() || intoTheFuture.isNegative()) {
            throw new IllegalArgumentException("a tolerance can't be negative; give zero or more");
        }
        return with(copy -> {
            copy.past = intoThePast;
            copy.future = intoTheFuture;
        });
    }

    /** Sets the clock. Default: the system's. */
    public Verifier clock(InstantSource source) {
        return with(copy -> copy.clock = source);
    }

    /** Sets how many bytes a body may have. Default: 10 MiB. */
    public Verifier largestBody(int bytes) {
        return with(copy -> copy.largestBody = bytes);
    }

    /**
     * Sets a function that finds the id of an event, for instance {@code event -> event.member("data.object.id")
     * .orElse(null)} where two events are about one thing. If it returns null, the event keeps its usual id. An
     * exception of the function is thrown by {@link #verify}.
     */
    public Verifier idFrom(Function<? super WebhookEvent, @Nullable String> function) {
        return with(copy -> copy.idFrom = function);
    }

    Sender sender() {
        return sender;
    }

    /** For how long the request of a sender that signs the time can be sent again; zero if there is no such limit. */
    Duration valid() {
        return sender.timestamped() ? past.plus(future) : Duration.ZERO;
    }

    int largestBody() {
        return largestBody;
    }

    /** Checks a request. Whatever the request holds, the result is a value and not an exception. */
    public Verification verify(WebhookRequest given) {
        WebhookRequest request = sender.dialect.apply(given);
        Refused refused = oversized(request);
        if (refused == null && sender.signs()) {
            refused = forged(request);
        }
        return refused == null ? read(request) : refused;
    }

    private @Nullable Refused oversized(WebhookRequest request) {
        if (request.body().length > largestBody) {
            return refused(
                    Reason.BODY_TOO_LARGE,
                    "the body has more than " + largestBody + " bytes; if " + sender.name()
                            + " sends so much, set largestBody(...)");
        }
        for (String name : sender.headers()) {
            List<String> lines = request.headers(name);
            if (lines.size() > 1) {
                return refused(
                        Reason.DUPLICATE_HEADER,
                        "the header " + name + " came " + lines.size()
                                + " times; look for a proxy that repeats or splits it");
            }
            if (!lines.isEmpty() && lines.get(0).length() > LARGEST_HEADER) {
                return refused(
                        Reason.HEADER_TOO_LARGE,
                        "the header " + name + " is longer than " + LARGEST_HEADER + " characters; " + sender.name()
                                + " sends no such header");
            }
        }
        return null;
    }

    private @Nullable Refused forged(WebhookRequest request) {
        for (String name : sender.requiredHeaders()) {
            if (request.header(name) == null) {
                return refused(
                        Reason.MISSING_HEADER,
                        "the header " + name + " is absent or empty; if " + sender.name()
                                + " sends it, look for a proxy that removes it, and set a secret at the sender");
            }
        }
        if (sender.signsUrl() && request.url() == null) {
            return refused(
                    Reason.MISSING_URL,
                    sender.name()
                            + " signs the public URL; add it to the request: WebhookRequest.of(headers, body).at(url)");
        }
        List<String> items = sender.items(Objects.requireNonNullElse(request.header(sender.signatureHeader()), ""));
        String time = time(request, items);
        if (sender.timestamped() && !SECONDS.matcher(time).matches()) {
            return refused(
                    Reason.MALFORMED_HEADER,
                    "the time of sending is absent, repeated or not a number of seconds; "
                            + "check that the endpoint belongs to " + sender.name());
        }
        String id = sender.content.contains("{id}")
                ? request.header(sender.ids.get(0).get(0).name())
                : "";
        if (id == null || sender.isAmbiguous(id)) {
            return refused(
                    Reason.MALFORMED_HEADER,
                    "the signed id holds a separator and could be read in two ways; check "
                            + "that the endpoint belongs to " + sender.name());
        }
        Refused wrong = unsigned(request, items, time, id);
        return wrong != null || !sender.timestamped() ? wrong : untimely(Instant.ofEpochSecond(Long.parseLong(time)));
    }

    private @Nullable Refused unsigned(WebhookRequest request, List<String> items, String time, String id) {
        if (items.size() > MOST_SIGNATURES) {
            return refused(
                    Reason.MALFORMED_HEADER,
                    "the header " + sender.signatureHeader() + " has more than " + MOST_SIGNATURES + " items; "
                            + sender.name() + " sends no such header");
        }
        List<List<byte[]>> readings = SignedContent.readings(sender, request, time, id);
        boolean readable = false;
        boolean right = false;
        for (Secret secret : secrets) {
            List<byte[]> signatures = secret.signatures(items);
            readable |= !signatures.isEmpty();
            for (List<byte[]> content : readings) {
                right |= secret.signed(content, signatures);
            }
        }
        if (!readable) {
            return refused(
                    Reason.MALFORMED_HEADER,
                    "the header " + sender.signatureHeader()
                            + " holds no signature of a kind that fits the secret; check that the endpoint belongs to "
                            + sender.name() + " and that the secret is of the same kind");
        }
        return right
                ? null
                : refused(
                        Reason.WRONG_SIGNATURE,
                        "the signature of " + sender.name()
                                + " fits no secret; check that the secret is that of this endpoint, that the body is passed as it came"
                                + (sender.signsUrl() ? ", and that the URL is the one the sender was given" : ""));
    }

    private @Nullable Refused untimely(Instant sent) {
        Duration age = Duration.between(sent, clock.instant());
        if (age.compareTo(past) > 0) {
            return refused(
                    Reason.TOO_OLD,
                    "the request was signed more than " + past.toSeconds()
                            + " s ago: it is a replay, or it was held up; check the clock of this machine, or set tolerance(...)");
        }
        if (age.negated().compareTo(future) > 0) {
            return refused(
                    Reason.IN_THE_FUTURE,
                    "the request was signed more than " + future.toSeconds()
                            + " s ahead; check the clock of this machine, or set tolerance(...)");
        }
        return null;
    }

    private static Refused refused(Reason reason, String detail) {
        return new Refused(reason, detail);
    }

    /** The time as it was sent; empty where it is absent or ambiguous. */
    private String time(WebhookRequest request, List<String> items) {
        Place place = sender.time;
        if (place == null) {
            return "";
        }
        if (place.kind() == Place.Kind.HEADER) {
            return Objects.requireNonNullElse(request.header(place.name()), "");
        }
        List<String> found =
                items.stream().filter(item -> item.startsWith(place.name())).toList();
        return found.size() == 1 ? found.get(0).substring(place.name().length()) : "";
    }

    private Verification read(WebhookRequest request) {
        Object json = json(request.body());
        String challenge = WebhookEvent.member(json, "challenge");
        if (sender.challenge != null
                && challenge != null
                && sender.challenge.equals(WebhookEvent.member(json, "type"))) {
            return new Handshake("text/plain", challenge);
        }
        if (!sender.batched(request)) {
            return new Accepted(List.of(event(request, request.body(), json)));
        }
        if (!(json instanceof List<?> elements) || !elements.stream().allMatch(Map.class::isInstance)) {
            return refused(
                    Reason.MALFORMED_BODY,
                    "the body is not a JSON array of objects; check that the endpoint " + "belongs to "
                            + sender.name());
        }
        List<WebhookEvent> events = new ArrayList<>();
        for (Object element : elements) {
            events.add(event(request, Json.writePlain(element).getBytes(StandardCharsets.UTF_8), element));
        }
        return new Accepted(events);
    }

    private WebhookEvent event(WebhookRequest request, byte[] bytes, @Nullable Object json) {
        String found = sender.ids.stream()
                .map(parts -> value(parts, request, bytes, json))
                .filter(id -> id != null && id.length() <= LONGEST_ID)
                .findFirst()
                .orElse(null);
        String type = sender.types.stream()
                .map(place -> value(List.of(place), request, bytes, json))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        String id = found == null ? digest(request, bytes) : found;
        WebhookEvent event = new WebhookEvent(id, type, bytes, json, sender, sender.signsId());
        String other = idFrom == null ? null : idFrom.apply(event);
        return other == null || other.isBlank() ? event : event.withId(other);
    }

    /**
     * The values at these places, with a bar between them; null if one is absent. No two lists give one text, and a list
     * of values that may be keys gives a key.
     */
    private @Nullable String value(List<Place> places, WebhookRequest request, byte[] bytes, @Nullable Object json) {
        List<String> values = new ArrayList<>();
        for (Place place : places) {
            String value = switch (place.kind()) {
                case HEADER -> request.header(place.name());
                case MEMBER, ITEM -> WebhookEvent.member(json, place.name());
                case DIGEST -> digest(request, bytes);
            };
            if (value == null || value.isBlank()) {
                return null;
            }
            boolean last = values.size() == places.size() - 1;
            values.add(last ? value : value.replace("%", "%25").replace("|", "%7C"));
        }
        return String.join("|", values);
    }

    /** Two requests with equal bodies at two signed addresses are two events. */
    private String digest(WebhookRequest request, byte[] bytes) {
        return sender.signsUrl()
                ? Digests.named((request.url() + "\n").getBytes(StandardCharsets.UTF_8), bytes)
                : Digests.named(bytes);
    }

    static @Nullable Object json(byte[] body) {
        try {
            return Json.parseExact(body);
        } catch (JsonException notJson) {
            return null;
        }
    }

    /** Shows no secrets. */
    @Override
    public String toString() {
        return "Verifier[" + sender.name() + ", " + secrets.size() + " secrets]";
    }
}
