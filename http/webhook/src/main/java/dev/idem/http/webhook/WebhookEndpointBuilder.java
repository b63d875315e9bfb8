package dev.idem.http.webhook;

import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.agent.inbox.Inbox;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link WebhookEndpoint}. Immutable and thread-safe: every setter returns another builder. {@link
 * #handle} or {@link #respond} makes the endpoint.
 */
public final class WebhookEndpointBuilder {
    /** Slack, Shopify and Paddle expect an answer within 3 to 5 seconds. */
    private static final Policy USUAL = Policy.unset().waitFor(Duration.ofSeconds(2));

    /** A captured request without a time stays valid for ever. */
    private static final Policy REPLAYABLE = USUAL.tombstone(Duration.ofDays(365));

    final Idem idem;
    final Verifier verifier;
    final String source;
    private final Policy policy;

    private WebhookEndpointBuilder(Idem idem, Verifier verifier, String source, Policy policy) {
        this.idem = idem;
        this.verifier = verifier;
        this.source = source;
        this.policy = policy;
    }

    static WebhookEndpointBuilder of(Idem idem, Verifier verifier) {
        Sender sender = verifier.sender();
        return new WebhookEndpointBuilder(idem, verifier, sender.name(), sender.timestamped() ? USUAL : REPLAYABLE);
    }

    /**
     * Sets the name of the source, which is part of the scope: {@code inbox:<source>}. Two endpoints of one sender need
     * two names if one event may arrive at both and each has to handle it. Default: the name of the sender.
     */
    public WebhookEndpointBuilder source(String name) {
        return new WebhookEndpointBuilder(idem, verifier, name, policy);
    }

    /**
     * Sets how events are treated; see {@link Inbox#policy}. A request waits up to 2 s for a duplicate that is being
     * handled ({@link Policy#waitFor(Duration)}), and the events of a sender that signs no time keep a tombstone of 365
     * days, unless the policy sets these.
     */
    public WebhookEndpointBuilder policy(Policy more) {
        return new WebhookEndpointBuilder(idem, verifier, source, more.over(policy));
    }

    /** Makes an endpoint that handles each event once, and answers without a body. */
    public WebhookEndpoint handle(WebhookHandler handler) {
        return respond((event, call) -> {
            handler.handle(event, call);
            return WebhookEndpoint.DONE;
        });
    }

    /** Makes an endpoint that handles each event once, and answers with what the handler returns. */
    public WebhookEndpoint respond(WebhookResponder handler) {
        return new WebhookEndpoint(this, handler);
    }

    Inbox<@Nullable WebhookAnswer> inbox() {
        return Inbox.of(idem, source).returning(WebhookAnswer.class).policy(policy);
    }
}
