package dev.idem.http;

import dev.idem.Call;
import dev.idem.Entry;
import dev.idem.IdemException;
import dev.idem.InDoubtException;
import dev.idem.LedgerException;
import dev.idem.NotExecutedException;
import dev.idem.Operation;
import dev.idem.OperationFailedException;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.Provenance;
import dev.idem.StaleTicketException;
import dev.idem.UnrecordedException;
import dev.idem.WaitInterruptedException;
import dev.idem.spi.Result;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** One guarded request on its way to a reply. */
final class Exchange {
    /** The date of RFC 9110, which always has two digits for the day. */
    private static final DateTimeFormatter HTTP_DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private static final String DOUBT_PASSES =
            "The first request with this key may or may not have taken effect, and it was not executed again. Send the "
                    + "same request with the same key later: the service is finding out.";

    private static final String STEP_REFUSED =
            "A step of this request was refused: it runs elsewhere, its outcome is unknown, or it was done with other "
                    + "values. Earlier steps may have taken effect. Do not send the request with a new %s: that could "
                    + "do the work twice. Ask the operator of this service to resolve it, then send the same request with "
                    + "the same key to get the response.";

    private static final String RESOLVED_WITHOUT_RESPONSE =
            "The first request with this key was executed. A person found that out and recorded no response, so none can "
                    + "be sent again. Look up the result by other means. Use a new %s only for new work. This request "
                    + "executed nothing.";

    private static final String DAMAGED =
            "The first request with this key was executed, but the stored response is damaged, or has a form that this "
                    + "service can't read. Look up the result by other means. Use a new %s only for new work. This request "
                    + "executed nothing.";

    private final HttpRules rules;
    private final IdempotencyKey key;
    private final Handler handler;
    private final Clock clock;
    private final Semaphore waiters;
    private boolean waiting;
    private volatile boolean began;
    private volatile @Nullable Response answered;

    Exchange(HttpRules rules, IdempotencyKey key, Handler handler, Clock clock, Semaphore waiters) {
        this.rules = rules;
        this.key = key;
        this.handler = handler;
        this.clock = clock;
        this.waiters = waiters;
    }

    /** The handler answered in a way that says nothing about its effect. */
    private static final class DoubtfulResponseException extends RuntimeException {
        private static final long serialVersionUID = 1;

        DoubtfulResponseException(Response response) {
            super("the handler answered with " + response.status() + ", which does not tell whether it took effect"
                    + response.doubt().map(why -> ": " + why).orElse(""));
        }
    }

    CompletableFuture<Reply> run(Operation<StoredResponse> operation) {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        // A request that may not wait can still run; it is refused only if it is a duplicate of a running one.
        waiting = waiters.tryAcquire();
        try {
            var unused = (waiting ? operation : operation.policy(Policy.unset().waitFor(Duration.ZERO)))
                    .attemptStage(this::act)
                    .whenComplete((outcome, thrown) -> end(reply, outcome, thrown));
        } finally {
            stopWaiting();
        }
        return reply;
    }

    /** Called in the thread that has waited. */
    private CompletionStage<StoredResponse> act(Call call) throws Exception {
        stopWaiting();
        began = true;
        return handler.handle(call).thenApply(response -> {
            answered = response;
            return switch (rules.ending(response)) {
                case FINAL -> StoredResponse.of(response, rules);
                case RELEASED ->
                    throw new NotExecutedException(
                            "the handler answered with " + response.status() + " and declares that it did nothing");
                case DOUBTFUL -> throw doubtful(response, call);
            };
        });
    }

    private static DoubtfulResponseException doubtful(Response response, Call call) {
        DoubtfulResponseException doubtful = new DoubtfulResponseException(response);
        if (response.doubt().isPresent()) {
            // Whatever the classifiers of the policy would say. The client gets a response as of a success, so the log
            // tells.
            call.ambiguous(doubtful);
            String warning = call.address() + " is in doubt: " + doubtful.getMessage();
            System.getLogger("dev.idem.http").log(System.Logger.Level.WARNING, warning);
        }
        return doubtful;
    }

    private void stopWaiting() {
        if (waiting) {
            waiting = false;
            waiters.release();
        }
    }

    private void end(
            CompletableFuture<Reply> reply, @Nullable Outcome<StoredResponse> outcome, @Nullable Throwable thrown) {
        Response own = answered;
        try {
            if (own != null && own.isStreamed()) {
                reply.complete(new Reply.Streamed());
            } else if (outcome != null) {
                reply.complete(reply(outcome));
            } else {
                reply.complete(unrecorded(Objects.requireNonNull(thrown)));
            }
        } catch (Throwable e) {
            reply.completeExceptionally(e);
        }
    }

    private Reply reply(Outcome<StoredResponse> outcome) throws Throwable {
        if (outcome instanceof Outcome.Replayed<StoredResponse> replayed) {
            return replayed(replayed.value(), replayed.provenance());
        }
        Response own = answered;
        if (outcome instanceof Outcome.Done<StoredResponse> done && own != null) {
            return first(own, done.provenance().expiresAt(), true);
        }
        Throwable failure = Objects.requireNonNull(outcome.failure());
        if (own != null) {
            return first(own, null, isRecorded(failure));
        } else if (began) {
            return thrown(failure);
        }
        return refused(outcome, failure);
    }

    /** The reply for an exception of the handler. One of Idem tells about a step, and others may have run before it. */
    private Reply thrown(Throwable failure) throws Throwable {
        if (failure instanceof NotExecutedException && isRecorded(failure)) {
            return problem(Problem.NOT_EXECUTED);
        } else if (failure instanceof IdemException) {
            return problem(rules.problem(Problem.IN_DOUBT, STEP_REFUSED.replace("%s", rules.keyHeader())));
        }
        throw failure;
    }

    /** The reply to a request for which the handler did not run. */
    private Reply refused(Outcome<StoredResponse> outcome, Throwable failure) throws Throwable {
        if (outcome instanceof Outcome.InFlight) {
            return problem(Problem.IN_FLIGHT);
        } else if (outcome instanceof Outcome.Conflict) {
            return problem(Problem.KEY_REUSED);
        } else if (outcome instanceof Outcome.InDoubt) {
            boolean passes = failure instanceof InDoubtException doubt && doubt.mayTryAgain();
            return passes ? problem(rules.problem(Problem.IN_DOUBT, DOUBT_PASSES)) : problem(Problem.IN_DOUBT);
        } else if (outcome instanceof Outcome.Expired) {
            return problem(Problem.EXPIRED);
        } else if (outcome instanceof Outcome.Unavailable<StoredResponse> unavailable) {
            return unavailable(unavailable.failure().entry());
        } else if (failure instanceof OperationFailedException || failure instanceof NotExecutedException) {
            return problem(Problem.NOT_EXECUTED);
        }
        throw failure;
    }

    /** The reply for an entry that holds no response: a person may have resolved it. */
    private Reply unavailable(Entry entry) {
        Response given = ResolvedResult.response(entry);
        if (given != null) {
            return replayed(given, Provenance.ofReplay(entry, "resolved", List.of()));
        }
        if (entry.result() instanceof Result.Stored) {
            return notKept(DAMAGED);
        }
        return entry.resolution() == null ? problem(Problem.RESULT_NOT_KEPT) : notKept(RESOLVED_WITHOUT_RESPONSE);
    }

    private Reply notKept(String detail) {
        return problem(rules.problem(Problem.RESULT_NOT_KEPT, detail.replace("%s", rules.keyHeader())));
    }

    /** The reply where the engine threw. The response of a handler that ran goes out in any case. */
    private Reply unrecorded(Throwable thrown) throws Throwable {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        Response own = answered;
        if (own != null) {
            return first(own, null, false);
        } else if (began) {
            throw cause;
        } else if (cause instanceof LedgerException) {
            return problem(Problem.LEDGER_UNAVAILABLE);
        } else if (cause instanceof WaitInterruptedException) {
            return problem(Problem.IN_FLIGHT);
        }
        throw cause;
    }

    private static boolean isRecorded(Throwable failure) {
        for (Throwable attached : failure.getSuppressed()) {
            if (attached instanceof UnrecordedException || attached instanceof StaleTicketException) {
                return false;
            }
        }
        return true;
    }

    private Reply first(Response own, @Nullable Instant expires, boolean recorded) {
        Response response = own.withHeader(rules.keyHeader(), key.echo());
        if (expires != null) {
            response = response.withHeader(rules.expiresHeader(), HTTP_DATE.format(expires));
        }
        return new Reply.Send(
                recorded ? response : response.withHeader(rules.recordedHeader(), "false"), Reply.Origin.HANDLER);
    }

    private Reply replayed(@Nullable StoredResponse stored, Provenance from) {
        if (stored == null) {
            return replayed(ResolvedResult.NULL, from);
        }
        return stored.isKept() ? replayed(stored.response(), from) : problem(Problem.RESULT_NOT_KEPT);
    }

    private Reply replayed(Response stored, Provenance from) {
        Instant now = clock.instant();
        Instant completed = Objects.requireNonNullElse(from.completedAt(), now);
        long age = Math.max(0, Duration.between(completed, now).toSeconds());
        Response response = (rules.wrapReplays() ? MarkedReplay.of(stored) : stored)
                .withHeader("Date", HTTP_DATE.format(now))
                .withHeader("Age", Long.toString(age))
                .withHeader("Cache-Control", "no-store")
                .withHeader(rules.replayedHeader(), "true")
                .withHeader(rules.keyHeader(), key.echo());
        Instant expires = from.expiresAt();
        return new Reply.Send(
                expires == null ? response : response.withHeader(rules.expiresHeader(), HTTP_DATE.format(expires)),
                Reply.Origin.REPLAY);
    }

    private Reply problem(Problem problem) {
        return problem(rules.problem(problem));
    }

    private Reply problem(Response problem) {
        return new Reply.Send(problem.withHeader(rules.keyHeader(), key.echo()), Reply.Origin.PROBLEM);
    }
}
