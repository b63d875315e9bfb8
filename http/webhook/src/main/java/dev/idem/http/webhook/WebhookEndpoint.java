package dev.idem.http.webhook;

import dev.idem.Idem;
import dev.idem.LedgerException;
import dev.idem.agent.inbox.Delivery;
import dev.idem.agent.inbox.Event;
import dev.idem.agent.inbox.Inbox;
import dev.idem.http.webhook.Verification.Accepted;
import dev.idem.http.webhook.Verification.Refused;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Receives the requests of one sender: verifies each request, handles each of its events once, and says what to answer.
 *
 * <pre>{@code
 * WebhookEndpoint stripe = WebhookEndpoint.of(idem, Verifier.of(Sender.STRIPE, secret))
 *         .handle((event, call) -> book(event));
 * WebhookAnswer answer = stripe.receive(WebhookRequest.of(headers, body));
 * }</pre>
 *
 * <p>A request that is not genuine is refused before anything is recorded. A handler that throws runs again when the
 * sender sends the event again, so each of its steps should be an operation of its own. Thread-safe.
 */
public final class WebhookEndpoint {
    static final WebhookAnswer DONE = WebhookAnswer.text(200, "");
    private static final System.Logger LOG = System.getLogger("dev.idem.http.webhook");
    private static final int SOON = 5;
    private static final int LATER = 60;

    private final Verifier verifier;
    private final String source;
    private final Inbox<@Nullable WebhookAnswer> inbox;
    private final WebhookResponder handler;

    WebhookEndpoint(WebhookEndpointBuilder settings, WebhookResponder handler) {
        this.verifier = settings.verifier;
        this.source = settings.source;
        this.inbox = settings.inbox();
        this.handler = handler;
    }

    /** Begins to describe an endpoint for the sender of the verifier. */
    public static WebhookEndpointBuilder of(Idem idem, Verifier verifier) {
        return WebhookEndpointBuilder.of(idem, verifier);
    }

    /** The name of the source. */
    public String source() {
        return source;
    }

    /** How many bytes a body may have. Read at most one more. */
    public int largestBody() {
        return verifier.largestBody();
    }

    /**
     * Verifies a request and handles its events. Whatever the request holds and whatever the handler throws, the result
     * is an answer and not an exception.
     */
    public WebhookAnswer receive(WebhookRequest request) {
        try {
            return verifier.verify(request)
                    .match(
                            this::handle,
                            this::refuse,
                            handshake -> WebhookAnswer.ok(handshake.contentType(), handshake.body()));
        } catch (LedgerException e) {
            LOG.log(Level.WARNING, "an event of " + source + " was not handled: the ledger gives no answer", e);
            return WebhookAnswer.text(503, "The ledger can't be reached. Nothing ran. Send it again.")
                    .retryAfter(SOON);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "a request of " + source + " ended with an exception", e);
            return WebhookAnswer.text(500, "The request could not be processed. Send it again.");
        }
    }

    private WebhookAnswer refuse(Refused refused) {
        boolean ours = refused.reason().status() >= 500;
        LOG.log(
                ours ? Level.WARNING : Level.DEBUG,
                () -> "a request of " + source + " was refused: " + refused.detail());
        return WebhookAnswer.text(refused.reason().status(), "Refused: " + refused.detail() + ".");
    }

    /** Handles every event, also those after one that failed. The sender sends all again; the good ones are duplicates. */
    private WebhookAnswer handle(Accepted accepted) {
        WebhookAnswer answer = DONE;
        for (WebhookEvent event : accepted.events()) {
            Delivery<@Nullable WebhookAnswer> delivery =
                    inbox.receive(Event.of(event.id(), event.bytes()), (unused, call) -> handler.respond(event, call));
            answer = worse(answer, answer(event, delivery));
        }
        return answer;
    }

    /** A failure wins over a delay, and a delay over success. */
    private static WebhookAnswer worse(WebhookAnswer one, WebhookAnswer other) {
        return rank(one) > rank(other) ? one : other;
    }

    private static int rank(WebhookAnswer answer) {
        return answer.accepted() ? 0 : answer.status() == 503 ? 1 : 2;
    }

    private WebhookAnswer answer(WebhookEvent event, Delivery<@Nullable WebhookAnswer> delivery) {
        if (delivery instanceof Delivery.Handled<@Nullable WebhookAnswer> handled) {
            return handled.value() == null ? DONE : handled.value();
        } else if (delivery instanceof Delivery.Duplicate<@Nullable WebhookAnswer> duplicate) {
            return duplicate.value() == null ? DONE : duplicate.value();
        } else if (delivery.acknowledge()) {
            return DONE;
        } else if (delivery instanceof Delivery.InFlight) {
            return WebhookAnswer.text(503, "The event is being handled. Send it again.")
                    .retryAfter(SOON);
        }
        LOG.log(Level.WARNING, () -> event + " was not handled: " + delivery.reason());
        if (delivery instanceof Delivery.InDoubt) {
            return WebhookAnswer.text(503, "It is unknown whether the event was handled. A person has to decide.")
                    .retryAfter(LATER);
        }
        return WebhookAnswer.text(500, "The event could not be handled. Send it again.");
    }
}
