package dev.idem.spring;

import dev.idem.http.HttpRules;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of Idem.
 *
 * @param ledger URL of the ledger, or datasource for the database of the application.
 * @param http requests with an idempotency key
 * @param tools tools of Spring AI
 * @param webhooks Webhooks by name, each for a method with {@link WebhookHandler}.
 * @param notices receivers that are told about calls that need a person
 * @param console the page for people
 */
@ConfigurationProperties("idem")
public record IdemProperties(
        @DefaultValue("sqlite:idem.db") String ledger,
        @DefaultValue Http http,
        @DefaultValue Tools tools,
        @DefaultValue Map<String, Webhook> webhooks,
        @DefaultValue Notices notices,
        @DefaultValue Console console) {
    /**
     * The properties of requests with an idempotency key.
     *
     * @param enabled Whether requests with an idempotency key run once.
     * @param profile Names of headers and statuses of problems.
     * @param keyRequired Whether a request without a key is refused.
     * @param key Places of the key beside the header: /request_id in a JSON body, request_id as a parameter.
     * @param principalRequired Whether a request with a key is refused if its caller is not authenticated.
     * @param callerHeaders Headers that are part of the caller beside its name, such as the tenant. A gateway has to set
     *     them.
     * @param wrapReplays Whether a replayed JSON response of 2xx is put into {"status":"already_processed","result":…}.
     * @param paths URL patterns of the requests that are guarded.
     */
    public record Http(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("ietf") Profile profile,
            @DefaultValue("false") boolean keyRequired,
            @DefaultValue List<String> key,
            @DefaultValue("true") boolean principalRequired,
            @DefaultValue List<String> callerHeaders,
            @DefaultValue("false") boolean wrapReplays,
            @DefaultValue("/*") List<String> paths) {
        private static final Pattern URL_PATTERN = Pattern.compile("/|(/[^*]+)?/\\*|/[^*]+|\\*\\.[^*/]+");

        /** Refuses patterns that a container takes for a plain path, or not at all: they would guard nothing. */
        public Http {
            for (String path : paths) {
                if (!URL_PATTERN.matcher(path).matches()) {
                    String prefix = path.replaceFirst("\\*.*$", "").replaceAll("^/+|/+$", "");
                    throw new IllegalArgumentException("idem.http.paths has '" + path + "', which is no URL pattern of"
                            + " servlets. Write " + (prefix.isEmpty() ? "/*" : "/" + prefix + " or /" + prefix + "/*")
                            + "; a * stands only at the end, after a slash, or in *.ext");
                }
            }
        }

        HttpRules rules() {
            HttpRules rules = HttpRules.profile(profile.name().toLowerCase(Locale.ROOT))
                    .keyRequired(keyRequired)
                    .key(key.toArray(String[]::new))
                    .principalRequired(principalRequired)
                    .wrapReplays(wrapReplays);
            for (String header : callerHeaders) {
                rules = rules.caller(request -> String.join(",", request.headers(header)));
            }
            return rules;
        }
    }

    /**
     * The properties of tools.
     *
     * @param enabled Whether the tools of Spring AI run once, where Spring AI is on the class path.
     */
    public record Tools(@DefaultValue("true") boolean enabled) {}

    /**
     * The properties of a webhook.
     *
     * @param secrets Secrets or public keys as the sender shows them; several while you rotate.
     * @param sender Name of the sender, such as stripe or github; the name of the webhook by default.
     * @param path Path of the endpoint; /webhooks/ and the name of the webhook by default.
     * @param mode Whether an event is handled before the answer, or recorded, answered and then handled.
     * @param publicUrl URL that the sender was given, without a query; Twilio and Square sign it.
     * @param poisonAfter Number of failed attempts after which an event is given up and listed.
     * @param tolerance How long ago, and how far ahead, a request may have been signed.
     */
    public record Webhook(
            @DefaultValue List<String> secrets,
            @Nullable String sender,
            @Nullable String path,
            @DefaultValue("handle-first") Mode mode,
            @Nullable String publicUrl,
            @Nullable Integer poisonAfter,
            @DefaultValue("5m") Duration tolerance) {
        /** Without the secrets. */
        @Override
        public String toString() {
            return "Webhook[sender=" + sender + ", path=" + path + ", mode=" + mode + ", " + secrets.size()
                    + " secrets]";
        }
    }

    /**
     * The properties of notices.
     *
     * @param webhookUrl URL of a webhook that is told about calls that need a person.
     * @param webhookSecret Secret that signs what the webhook gets, as in Standard Webhooks.
     * @param slackUrl URL of an incoming webhook of Slack, or of a service that takes the same form.
     * @param command Program that is run for each message, and its arguments.
     * @param every How long there is between two looks at the ledger.
     * @param link URL of the console, for links to entries; without it there are none.
     */
    public record Notices(
            @Nullable String webhookUrl,
            @Nullable String webhookSecret,
            @Nullable String slackUrl,
            @DefaultValue List<String> command,
            @DefaultValue("10s") Duration every,
            @Nullable URI link) {
        /** Without addresses and secrets. */
        @Override
        public String toString() {
            return "Notices[every=" + every + ", link=" + link + "]";
        }
    }

    /**
     * The properties of the console.
     *
     * @param enabled Whether the application shows the console, a page for people.
     * @param path Path of the page, below that of the application.
     * @param role Role of those who may do everything at the console.
     * @param readRole Role of those who may look at entries, without results.
     */
    public record Console(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("/idem/") String path,
            @Nullable String role,
            @Nullable String readRole) {
        private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9._-]+)+/");

        /** Refuses paths at which nothing would be found. */
        public Console {
            path = path.endsWith("/") ? path : path + "/";
            if (!PATH.matcher(path).matches()) {
                throw new IllegalArgumentException(
                        "idem.console.path has '" + path + "'. Write a path such as /idem/ or /admin/idem/");
            }
        }
    }

    /** When the sender gets its answer. */
    public enum Mode {
        /** When the event is handled. */
        HANDLE_FIRST,
        /** When the event is recorded; it is handled afterwards, also after a crash. */
        RECORD_FIRST
    }

    /** The profiles of {@link HttpRules}. */
    public enum Profile {
        /** The IETF draft of the header. */
        IETF,
        /** As Stripe: a key that is used for another request is 400. */
        STRIPE,
        /** As idemkit: a key in flight is 423. */
        IDEMKIT
    }

    /** Without the ledger: its URL may hold a password. */
    @Override
    public String toString() {
        return "IdemProperties[http=" + http + ", tools=" + tools + ", webhooks=" + webhooks + ", notices=" + notices
                + ", console=" + console + "]";
    }
}
