package dev.idem.agent.provider;

import dev.idem.Address;
import dev.idem.Call;
import dev.idem.Key;
import dev.idem.NotExecutedException;
import dev.idem.Policy;
import dev.idem.RemoteKeys;
import dev.idem.spi.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A provider of services and its idempotency keys. Immutable and thread-safe.
 *
 * <pre>{@code
 * idem.operation("charge").policy(STRIPE.policy()).key("order-7").run(call -> {
 *     STRIPE.keyFor(call).into(request::header);      // Idempotency-Key: idem_…
 *     return send(request);
 * });
 * }</pre>
 *
 * While a provider remembers a key, a call may run again with it, so a lost response is resolved without a person. The
 * time is what the documentation of the provider promises at least; without such a promise no time is assumed.
 */
public final class Provider {
    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    /** Stripe: 255 characters, remembered for at least 24 hours; errors of its servers too. */
    public static final Provider STRIPE =
            header("Stripe", "Idempotency-Key", 255, Alphabet.VISIBLE_ASCII, Duration.ofHours(24));

    /** Square: 45 characters; it publishes no time, so set it with {@link #remembering}. */
    public static final Provider SQUARE = field("Square", "idempotency_key", 45, Alphabet.VISIBLE_ASCII, null);

    /** PayPal: 108 characters, 6 hours for orders and 45 days for payments; the shorter one is used. */
    public static final Provider PAYPAL =
            header("PayPal", "PayPal-Request-Id", 108, Alphabet.VISIBLE_ASCII, Duration.ofHours(6));

    /** Adyen: 64 characters, remembered for at least 7 days, by region. */
    public static final Provider ADYEN =
            header("Adyen", "idempotency-key", 64, Alphabet.VISIBLE_ASCII, Duration.ofDays(7));

    /** Amazon Pay: 32 letters, digits, dashes and underscores, remembered for ever. */
    public static final Provider AMAZON_PAY =
            header("Amazon Pay", "x-amz-pay-idempotency-key", 32, Alphabet.WORD, FOR_EVER);

    /** Shopify: the argument of the directive {@code @idempotent}, a UUID; set the time with {@link #remembering}. */
    public static final Provider SHOPIFY = field("Shopify", "key", 255, Alphabet.UUID, null);

    /** Resend: 256 characters, remembered for 24 hours. */
    public static final Provider RESEND =
            header("Resend", "Idempotency-Key", 256, Alphabet.VISIBLE_ASCII, Duration.ofHours(24));

    /** AWS client tokens: a UUID suits all services; they remember it for 15 minutes or more; the shortest is used. */
    public static final Provider AWS = field("AWS", "ClientToken", 64, Alphabet.UUID, Duration.ofMinutes(15));

    /** Your own webhooks: receivers should deduplicate by this header, but it is not known whether they do. */
    public static final Provider WEBHOOK = header("webhook", "webhook-id", 255, Alphabet.VISIBLE_ASCII, null);

    /** SendGrid: no keys. */
    public static final Provider SENDGRID = none("SendGrid");

    /** Twilio: no keys. */
    public static final Provider TWILIO = none("Twilio");

    /** Postmark: no keys. */
    public static final Provider POSTMARK = none("Postmark");

    /** Anthropic message batches: no keys; a {@code custom_id} names a request inside its batch only. */
    public static final Provider ANTHROPIC_BATCHES = none("Anthropic message batches");

    private final String name;
    private final KeyPlace place;
    private final String field;
    private final @Nullable KeyForm form;
    private final @Nullable Duration retention;

    private Provider(String name, KeyPlace place, String field, @Nullable KeyForm form, @Nullable Duration retention) {
        this.name = name;
        this.place = place;
        this.field = field;
        this.form = form;
        this.retention = retention;
    }

    /**
     * A provider that takes its key in a header.
     *
     * @param longest how many characters a key may have, at least 32 (36 for a UUID)
     * @param retention how long it remembers a key at least; null if it is not known
     */
    public static Provider header(
            String name, String header, int longest, Alphabet alphabet, @Nullable Duration retention) {
        return new Provider(name, KeyPlace.HEADER, header, new KeyForm(longest, alphabet), retention);
    }

    /**
     * A provider that takes its key in a field of the body or as an argument.
     *
     * @param longest how many characters a key may have, at least 32 (36 for a UUID)
     * @param retention how long it remembers a key at least; null if it is not known
     */
    public static Provider field(
            String name, String field, int longest, Alphabet alphabet, @Nullable Duration retention) {
        return new Provider(name, KeyPlace.FIELD, field, new KeyForm(longest, alphabet), retention);
    }

    /** A provider without keys: only the ledger knows which requests were sent. */
    public static Provider none(String name) {
        return new Provider(name, KeyPlace.NONE, "", null, null);
    }

    /** All known providers, in the order of the documentation. */
    public static List<Provider> known() {
        return List.of(
                STRIPE,
                SQUARE,
                PAYPAL,
                ADYEN,
                AMAZON_PAY,
                SHOPIFY,
                RESEND,
                AWS,
                WEBHOOK,
                SENDGRID,
                TWILIO,
                POSTMARK,
                ANTHROPIC_BATCHES);
    }

    /**
     * Finds the remote that a text names, as {@code passes_key_to} of {@link Policy#parse} needs it: a
     * {@link #known() known} provider such as {@code Stripe}, in any case, or a name with the time for which the remote
     * remembers a key, such as {@code our bank 24h}.
     *
     * @throws IllegalArgumentException if the provider takes no keys, or if it is not known how long it remembers one
     */
    public static RemoteKeys remote(String text) {
        int space = text.lastIndexOf(' ');
        Duration remembers =
                space < 0 ? null : DurationText.parse(text.substring(space + 1)).orElse(null);
        String name = remembers == null ? text : text.substring(0, space).strip();
        requireTakesKeys(name, "passes_key_to");
        if (remembers != null) {
            return new RemoteKeys(name, remembers);
        }
        return named(name)
                .flatMap(Provider::remembers)
                .orElseThrow(() -> new IllegalArgumentException("how long '" + name + "' remembers a key is not known; "
                        + "write it behind the name, for instance '" + name + " 24h'"));
    }

    /**
     * Refuses a provider that is known to take no keys.
     *
     * @param subject the begin of the message
     */
    public static void requireTakesKeys(String name, String subject) {
        if (named(name).filter(known -> known.place == KeyPlace.NONE).isPresent()) {
            throw new IllegalArgumentException(subject + " can't pass its key to " + name
                    + ", which takes none. Do not declare that it knows the key; add a probe");
        }
    }

    private static Optional<Provider> named(String name) {
        return known().stream()
                .filter(provider -> provider.name.equalsIgnoreCase(name))
                .findFirst();
    }

    /**
     * This provider with the time for which it remembers a key, as you know it from a contract or its support.
     *
     * @throws IllegalStateException if the provider takes no keys
     */
    public Provider remembering(Duration atLeast) {
        return new Provider(name, place, field, requireKeys(), new RemoteKeys(name, atLeast).retention());
    }

    /** Its name, for people. */
    public String name() {
        return name;
    }

    /** The place of its key. */
    public KeyPlace place() {
        return place;
    }

    /** The name of the header or field; empty where there is none. */
    public String field() {
        return field;
    }

    /** How many characters a key may have; 0 where there is none. */
    public int longest() {
        return form == null ? 0 : form.longest();
    }

    /** How long it remembers a key at least; empty if it is not known, or it takes no keys. */
    public Optional<Duration> retention() {
        return Optional.ofNullable(retention);
    }

    /** The declaration for {@link Policy#passesKeyTo(RemoteKeys)}; empty if it is not known how long it remembers a key. */
    public Optional<RemoteKeys> remembers() {
        return retention().map(atLeast -> new RemoteKeys(name, atLeast));
    }

    /**
     * The policy of calls that hand their key to this provider. It sets nothing where it is not known how long the
     * provider remembers a key: such a call is in doubt after a lost response, unless it has a probe.
     *
     * @throws IllegalStateException if the provider takes no keys
     */
    public Policy policy() {
        requireKeys();
        return remembers().map(Policy.unset()::passesKeyTo).orElse(Policy.unset());
    }

    /**
     * The key of a running call and its place, in the form of this provider. See {@link #keyOf}. Ask for it before you send
     * anything.
     *
     * @throws NotExecutedException if the provider takes no keys: nothing was sent, so the call may run again
     */
    public ProviderKey keyFor(Call call) {
        return new ProviderKey(place, field, keyOf(call.address()));
    }

    /**
     * The key of an operation in the form of this provider: the same for every attempt, and different for every other
     * operation. A key is unique in its scope and operation, which providers do not know, so it is derived from all three.
     * Use {@link #fit} for a key that is globally unique.
     *
     * @throws NotExecutedException if the provider takes no keys
     */
    public String keyOf(Address address) {
        // Always derived: a given key may look like a derived one.
        return keys().inForm(Key.derive(address.scope(), address.operation(), Map.of("key", address.key())));
    }

    /**
     * A globally unique key of your own in the form of this provider: unchanged if it fits, else derived from it. It is
     * never cut.
     *
     * @throws NotExecutedException if the provider takes no keys
     */
    public String fit(String key) {
        return keys().fitted(key);
    }

    /** For actions. The exception is definite: without a key nothing was sent. */
    private KeyForm keys() {
        if (form == null) {
            throw new NotExecutedException(noKeys());
        }
        return form;
    }

    /** For declarations. */
    private KeyForm requireKeys() {
        if (form == null) {
            throw new IllegalStateException(noKeys());
        }
        return form;
    }

    private String noKeys() {
        return name + " takes no idempotency keys, so the ledger is the only record of what was sent. Give the "
                + "operation a probe that looks into what " + name + " has taken in, or let a person resolve doubts";
    }

    @Override
    public String toString() {
        return name;
    }
}
