package dev.idem.http.webhook;

import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.agent.inbox.Inbox;
import dev.idem.agent.inbox.Pace;
import java.time.Duration;
import java.util.function.Consumer;
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

    private static final int USUAL_POISON = 10;

    final Idem idem;
    final Verifier verifier;
    String source;
    boolean recordsFirst;
    Pace pace = Pace.USUAL;

    @Nullable
    String publicUrl;

    private Policy policy;
    private @Nullable Integer poisonAfter;

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

    private WebhookEndpointBuilder with(Consumer<WebhookEndpointBuilder> change) {
        WebhookEndpointBuilder copy = new WebhookEndpointBuilder(idem, verifier, source, policy);
        copy.recordsFirst = recordsFirst;
        copy.pace = pace;
        copy.publicUrl = publicUrl;
        copy.poisonAfter = poisonAfter;
        change.accept(copy);
        return copy;
    }

    /**
     * Sets the name of the source, which is part of the scope: {@code inbox:<source>}. Two endpoints of one sender need
     * two names if one event may arrive at both and each has to handle it. Default: the name of the sender.
     */
    public WebhookEndpointBuilder source(String name) {
        return with(copy -> copy.source = name);
    }

    /**
     * Sets how events are treated; see {@link Inbox#policy}. A request waits up to 2 s for a duplicate that is being
     * handled ({@link Policy#waitFor(Duration)}), and the events of a sender that signs no time keep a tombstone of 365
     * days, unless the policy sets these.
     */
    public WebhookEndpointBuilder policy(Policy more) {
        return with(copy -> copy.policy = more.over(policy));
    }

    /**
     * Sets the URL that the sender was given, without a query. Twilio and Square sign it; the query of each request is
     * appended.
     */
    public WebhookEndpointBuilder publicUrl(String url) {
        return with(copy -> copy.publicUrl = url);
    }

    /**
     * Records each event durably, answers, and handles the event afterwards in threads of the endpoint, with back-off
     * and also after a crash. Default: an event is handled before the answer.
     */
    public WebhookEndpointBuilder recordFirst() {
        return with(copy -> copy.recordsFirst = true);
    }

    /**
     * Gives an event up after this many failed attempts: it is accepted from the sender, and kept in a list ({@link
     * WebhookEndpoint#poisoned()}). Default: 10 with {@link #recordFirst()}, otherwise never, since the sender decides.
     */
    public WebhookEndpointBuilder poisonAfter(int attempts) {
        return with(copy -> copy.poisonAfter = attempts);
    }

    /** Sets threads, back-off and times of the endpoint's own work. Default: {@link Pace#USUAL}. */
    public WebhookEndpointBuilder pace(Pace work) {
        return with(copy -> copy.pace = work);
    }

    /**
     * Makes an endpoint that handles each event once, and answers without a body.
     *
     * @throws IllegalArgumentException if it needs a ledger that can be browsed, and this one can't; or if events are
     *     forgotten while the verifier still accepts their requests
     */
    public WebhookEndpoint handle(WebhookHandler handler) {
        return new WebhookEndpoint(this, (event, call) -> {
            handler.handle(event, call);
            return WebhookEndpoint.DONE;
        });
    }

    /**
     * Makes an endpoint that handles each event once, and answers with what the handler returns.
     *
     * @throws IllegalStateException with {@link #recordFirst()}: the answer is sent before the handler runs
     * @throws IllegalArgumentException as {@link #handle} does
     */
    public WebhookEndpoint respond(WebhookResponder handler) {
        if (recordsFirst) {
            throw new IllegalStateException("recordFirst() answers before the handler runs, so the handler can't "
                    + "decide the answer; use handle(...), or leave recordFirst() out");
        }
        return new WebhookEndpoint(this, handler);
    }

    /** Whether the endpoint handles events in threads of its own, at least those that are sent again. */
    boolean drives() {
        return recordsFirst || poisonAfter != null;
    }

    Inbox<WebhookAnswer> inbox() {
        Duration kept = policy.retention().keep().plus(policy.retention().tombstone());
        Duration valid = verifier.valid();
        if (kept.compareTo(valid) < 0) {
            throw new IllegalArgumentException("an event of " + source + " would be forgotten after " + kept
                    + ", and its request is valid for " + valid
                    + ": sent again, it would run again. Set a longer retention(...) or tombstone(...) in the policy, or a"
                    + " shorter tolerance(...) of the verifier");
        }
        Inbox<WebhookAnswer> inbox =
                Inbox.of(idem, source).returning(WebhookAnswer.class).policy(policy);
        return drives() ? inbox.poisonAfter(poisonAfter == null ? USUAL_POISON : poisonAfter) : inbox;
    }
}
