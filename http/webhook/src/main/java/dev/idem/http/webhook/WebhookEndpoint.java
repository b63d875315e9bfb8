package dev.idem.http.webhook;

import dev.idem.Idem;
import dev.idem.LedgerException;
import dev.idem.agent.inbox.Delivery;
import dev.idem.agent.inbox.Inbox;
import dev.idem.agent.inbox.InboxDriver;
import dev.idem.agent.inbox.Poison;
import dev.idem.http.webhook.Verification.Accepted;
import dev.idem.http.webhook.Verification.Refused;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
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
 * sender sends the event again, so each of its steps should be an operation of its own. Thread-safe. Close it at the end
 * if it records first or has a poison limit: then it has threads.
 */
public final class WebhookEndpoint implements AutoCloseable {
    static final WebhookAnswer DONE = WebhookAnswer.text(200, "");
    private static final System.Logger LOG = System.getLogger("dev.idem.http.webhook");
    private static final int SOON = 5;
    private static final int LATER = 60;

    private final Verifier verifier;
    private final String source;
    private final @Nullable String publicUrl;
    private final boolean recordsFirst;
    private final Inbox<WebhookAnswer> inbox;
    private final WebhookResponder handler;
    private final Poison poison;
    private final @Nullable InboxDriver driver;
    private volatile boolean closed;

    WebhookEndpoint(WebhookEndpointBuilder settings, WebhookResponder handler) {
        Sender sender = settings.verifier.sender();
        this.verifier = settings.verifier;
        this.source = settings.source;
        this.publicUrl = settings.publicUrl;
        this.recordsFirst = settings.recordsFirst;
        this.inbox = settings.inbox();
        this.handler = (event, call) -> {
            WebhookAnswer answer = handler.respond(event, call);
            if (answer != null && !answer.accepted()) {
                throw new NotAcceptedException(answer);
            }
            return answer;
        };
        this.poison = Poison.of(settings.idem);
        this.driver = settings.drives()
                ? inbox.drive(
                        (event, call) -> this.handler.respond(WebhookEvent.of(event, sender), call), settings.pace)
                : null;
    }

    /** An answer of the handler that tells the sender to send the event again. Recorded, it would answer that as well. */
    private static final class NotAcceptedException extends Exception {
        private static final long serialVersionUID = 1;

        private final transient WebhookAnswer answer;

        NotAcceptedException(WebhookAnswer answer) {
            super("the handler answered with " + answer.status());
            this.answer = answer;
        }
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
        if (closed) {
            return WebhookAnswer.text(503, "The endpoint is closed. Send it again.")
                    .retryAfter(SOON);
        }
        try {
            return verifier.verify(request)
                    .match(
                            this::handle,
                            this::refuse,
                            handshake -> WebhookAnswer.ok(handshake.contentType(), handshake.body()));
        } catch (LedgerException e) {
            LOG.log(
                    Level.WARNING,
                    "an event of " + source + " may not have been handled: the ledger gives no answer",
                    e);
            return WebhookAnswer.text(503, "The ledger can't be reached. It may have been handled. Send it again.")
                    .retryAfter(SOON);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "a request of " + source + " ended with an exception", e);
            return WebhookAnswer.text(500, "The request could not be processed. Send it again.");
        }
    }

    /**
     * Verifies a request and handles its events, at the public URL of the settings.
     *
     * @param query the query of the request as it came; null without one
     */
    public WebhookAnswer receive(Map<String, List<String>> headers, byte[] body, @Nullable String query) {
        WebhookRequest request = WebhookRequest.of(headers, body);
        return receive(publicUrl == null ? request : request.at(publicUrl + (query == null ? "" : "?" + query)));
    }

    /** The events of this source that were given up, newest first. */
    public List<Poison.Poisoned> poisoned() {
        return poison.list(source);
    }

    /**
     * Has an event handled again that was given up; see {@link Poison#again}.
     *
     * @return false if there is no such event in the list, or if it is just being given up or sent again by another call
     */
    public boolean again(String key) {
        boolean sent = poison.again(source, key);
        if (sent && driver != null) {
            driver.handleNow(key);
        }
        return sent;
    }

    /**
     * Accepts no more requests, and waits for handlers that run in threads of the endpoint. Recorded events that are not
     * handled yet are handled after the next start.
     */
    @Override
    public void close() {
        closed = true;
        if (driver != null) {
            driver.close();
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
            answer = worse(answer, recordsFirst && driver != null ? record(event, driver) : handle(event));
        }
        return answer;
    }

    private static WebhookAnswer record(WebhookEvent event, InboxDriver driver) {
        return switch (driver.take(event.kept())) {
            case RECORDED, HANDLED -> DONE;
            case TOO_LARGE -> {
                LOG.log(Level.ERROR, event + " is too large for the ledger; raise largestResult(...) of Idem");
                yield WebhookAnswer.text(413, "The event is too large to be recorded.");
            }
            case UNKNOWN ->
                WebhookAnswer.text(503, "The event is being recorded. Send it again.")
                        .retryAfter(SOON);
        };
    }

    private WebhookAnswer handle(WebhookEvent event) {
        return answer(event, inbox.receive(event.kept(), (unused, call) -> handler.respond(event, call)));
    }

    /** A failure wins over a delay, and a delay over success. */
    private static WebhookAnswer worse(WebhookAnswer one, WebhookAnswer other) {
        return rank(one) > rank(other) ? one : other;
    }

    private static int rank(WebhookAnswer answer) {
        return answer.accepted() ? 0 : answer.status() == 503 ? 1 : 2;
    }

    /** A handler may return null, and a person may resolve without an answer. */
    private static WebhookAnswer orDone(@Nullable WebhookAnswer answer) {
        return answer == null ? DONE : answer;
    }

    private WebhookAnswer answer(WebhookEvent event, Delivery<WebhookAnswer> delivery) {
        if (delivery instanceof Delivery.Handled<WebhookAnswer> handled) {
            return orDone(handled.value());
        } else if (delivery instanceof Delivery.Duplicate<WebhookAnswer> duplicate) {
            return orDone(duplicate.value());
        } else if (delivery.acknowledge()) {
            return DONE;
        } else if (delivery instanceof Delivery.InFlight) {
            return WebhookAnswer.text(503, "The event is being handled. Send it again.")
                    .retryAfter(SOON);
        }
        LOG.log(Level.WARNING, () -> event + " was not handled: " + delivery.reason());
        if (delivery instanceof Delivery.Failed<WebhookAnswer> failed
                && failed.cause() instanceof NotAcceptedException notAccepted) {
            return notAccepted.answer;
        }
        if (delivery instanceof Delivery.InDoubt) {
            return WebhookAnswer.text(503, "It is unknown whether the event was handled. A person has to decide.")
                    .retryAfter(LATER);
        }
        return WebhookAnswer.text(500, "The event could not be handled. Send it again.");
    }
}
