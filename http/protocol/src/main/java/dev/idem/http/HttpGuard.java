package dev.idem.http;

import dev.idem.Idem;
import dev.idem.Operation;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Runs each guarded request once for its key, and answers duplicates with the stored response.
 *
 * <pre>{@code
 * HttpGuard guard = new HttpGuard(idem, HttpRules.ietf());
 * send(guard.answer(request, () -> orders.create(body)));
 * }</pre>
 *
 * <p>Thread-safe: one guard serves a whole server.
 */
public final class HttpGuard {
    private static final String PART_MISSING =
            "The service knows the name of the caller, but not the tenant, the issuer or whatever else belongs to it. Send "
                    + "the request again with it. Nothing was executed.";

    private final Idem idem;
    private final HttpRules rules;
    private final Clock clock;
    private final Semaphore waiters;
    private final AtomicBoolean toldOfAnonymous = new AtomicBoolean();

    public HttpGuard(Idem idem, HttpRules rules) {
        this(idem, rules, Clock.systemUTC());
    }

    /** A guard with another clock for the headers {@code Date} and {@code Age}. */
    public HttpGuard(Idem idem, HttpRules rules, Clock clock) {
        this.idem = idem;
        this.rules = rules;
        this.clock = clock;
        this.waiters = new Semaphore(rules.waiters());
    }

    /** How many more duplicates may wait now. */
    int freeWaiters() {
        return waiters.availablePermits();
    }

    /** The rules of requests that have none of their own. */
    public HttpRules rules() {
        return rules;
    }

    /**
     * Answers a request by the rules of this guard. It claims the key, and waits for a running duplicate, in the calling
     * thread; the handler is called in this thread too. The future ends when the outcome is recorded.
     *
     * @return the reply; or a future that fails with the exception of the handler, unless a problem tells it (a {@link
     *     dev.idem.NotExecutedException} and Idem's own), with an {@link IOException} of the request's body, or because
     *     {@link Idem} is closed
     */
    public CompletableFuture<Reply> handle(Request request, Handler handler) {
        return handle(request, rules, handler);
    }

    /** Answers a request by rules of its own, for instance those of its route. The number of waiters is the guard's. */
    public CompletableFuture<Reply> handle(Request request, HttpRules own, Handler handler) {
        if (!own.methods().contains(request.method())) {
            return CompletableFuture.completedFuture(new Reply.Unguarded());
        }
        IdempotencyKey key = null;
        String malformed = null;
        try {
            key = GivenKey.of(request, own);
        } catch (IllegalArgumentException e) {
            malformed = "The key is malformed: " + e.getMessage() + ". ";
        } catch (BodyTooLargeException e) {
            return refused(own.problem(Problem.BODY_TOO_LARGE));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
        if (key == null && malformed == null && !own.keyRequired()) {
            return CompletableFuture.completedFuture(new Reply.Unguarded());
        }
        List<String> caller = own.caller(request);
        if (own.principalRequired() && caller.contains("")) {
            return refused(anonymous(own, caller));
        } else if (malformed != null) {
            return refused(
                    own.problem(Problem.KEY_MALFORMED, malformed + Problem.KEY_MALFORMED.detail(own.keyHeader())));
        } else if (key == null) {
            return refused(own.problem(Problem.KEY_MISSING));
        }
        Map<String, Object> fingerprint;
        try {
            fingerprint = RequestFingerprint.of(request, own);
        } catch (BodyTooLargeException e) {
            return refused(own.problem(Problem.BODY_TOO_LARGE).withHeader(own.keyHeader(), key.echo()));
        } catch (BodyDamagedException e) {
            return refused(own.problem(Problem.BODY_DAMAGED).withHeader(own.keyHeader(), key.echo()));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
        String name;
        try {
            name = AddressNames.operation(request);
        } catch (AmbiguousPathException e) {
            return refused(own.problem(Problem.PATH_AMBIGUOUS).withHeader(own.keyHeader(), key.echo()));
        }
        Operation<StoredResponse> operation = idem.operation(name)
                .scope(AddressNames.scope(caller))
                .id(key.value())
                .identity(fingerprint)
                .policy(own.policy())
                .returning(StoredResponse.class);
        return new Exchange(own, key, handler, clock, waiters).run(operation);
    }

    /**
     * Answers a request and waits for the answer, for servers that have a thread for each request. A request that is not
     * guarded runs as well. The work does not stream its response; use {@link #handle} for that.
     *
     * @throws IOException when the body of the request can't be read; nothing ran
     */
    public Response answer(Request request, Supplier<Response> work) throws IOException {
        Reply reply;
        try {
            reply = handle(request, call -> CompletableFuture.completedFuture(work.get()))
                    .join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof IOException unread) {
                throw unread;
            } else if (e.getCause() instanceof RuntimeException thrown) {
                throw thrown;
            } else if (e.getCause() instanceof Error thrown) {
                throw thrown;
            }
            throw e;
        }
        if (reply instanceof Reply.Send send) {
            return send.response();
        } else if (reply instanceof Reply.Unguarded) {
            return work.get();
        }
        throw new IllegalStateException("the work has streamed its response: call handle(...) instead of answer(...)");
    }

    private Response anonymous(HttpRules own, List<String> caller) {
        if (!caller.get(caller.size() - 1).isEmpty()) {
            return own.problem(Problem.PRINCIPAL_MISSING, PART_MISSING);
        }
        if (!toldOfAnonymous.getAndSet(true)) {
            logAnonymous(own.keyHeader());
        }
        return own.problem(Problem.PRINCIPAL_MISSING);
    }

    /** Once: where no caller is ever authenticated, every request with a key is refused, and its author wonders why. */
    private static void logAnonymous(String keyHeader) {
        System.getLogger("dev.idem.http")
                .log(
                        System.Logger.Level.WARNING,
                        "a request with the header {0} got 401, because its caller is not authenticated and keys belong"
                                + " to callers. Put authentication before the guard. To let anonymous callers share their"
                                + " keys: HttpRules.principalRequired(false), in Spring Boot"
                                + " idem.http.principal-required=false. Further requests are refused silently",
                        keyHeader);
    }

    private static CompletableFuture<Reply> refused(Response problem) {
        return CompletableFuture.completedFuture(new Reply.Send(problem, Reply.Origin.PROBLEM));
    }
}
