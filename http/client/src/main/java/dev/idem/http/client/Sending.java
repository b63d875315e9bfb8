package dev.idem.http.client;

import dev.idem.Action;
import dev.idem.Call;
import dev.idem.IdemException;
import dev.idem.Operation;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.Provenance;
import dev.idem.ResultUnavailableException;
import dev.idem.agent.provider.KeyPlace;
import dev.idem.agent.provider.Provider;
import dev.idem.agent.provider.ProviderKey;
import dev.idem.agent.retry.Permit;
import dev.idem.http.HttpRules;
import dev.idem.http.HttpRules.Ending;
import dev.idem.http.IdempotencyKey;
import dev.idem.http.OutgoingRequest;
import dev.idem.http.Response;
import dev.idem.http.StoredResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One unsafe request on its way: claims its key, sends it, tries again where that is safe, and records the response. */
final class Sending {
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    private final ClientSettings settings;
    private final HttpRules rules;
    private final Policy policy;
    private final Provider provider;
    private final OutgoingRequest request;
    private final Wire wire;
    private final boolean graceCovers;
    private boolean hasKey;
    private @Nullable Response answered;

    Sending(ClientSettings settings, OutgoingRequest request, Wire wire) {
        this.settings = settings;
        this.rules = settings.rules();
        Policy declared = settings.policy().classify(UnsettledResponseException.FAILURES);
        // The remote may go on with a request whose connection was lost, and the last try may have been sent at the end
        // of the time limit. So a probe waits as long again, counted from the end of the last try.
        this.graceCovers = settings.probe != null && declared.probeGrace() == null;
        this.policy = graceCovers ? declared.probeGrace(declared.timeLimit()) : declared;
        this.provider = settings.provider;
        this.request = request;
        this.wire = wire;
    }

    /** Sends a request over the network, each time with the same bytes. */
    @FunctionalInterface
    interface Wire {
        /**
         * Sends the request and reads the whole response.
         *
         * @param key the key to set as a header; null where the request already holds it
         * @param limit how long it may take
         */
        Response send(@Nullable ProviderKey key, Duration limit) throws IOException, InterruptedException;
    }

    /** Whether a request with this method changes nothing. It is sent as if there were no Idem. */
    static boolean isSafe(String method) {
        return SAFE.contains(method);
    }

    Answer run(@Nullable String given) throws IOException, InterruptedException {
        Operation<StoredResponse> operation = keyed(given)
                .scope(Objects.requireNonNullElseGet(settings.scope, request::scope))
                .policy(policy);
        if (settings.probe != null) {
            operation = operation.probe(settings.probe);
        }
        Permit permit = Permit.of(policy.sideEffect(), policy.passesKeyTo());
        Action<StoredResponse, Exception> tries = settings.retry
                .failures(UnsettledResponseException.FAILURES)
                .retryAfter(UnsettledResponseException.RETRY_AFTER)
                .around(permit, new Tries()::once);
        Outcome<StoredResponse> outcome = operation.attempt(call -> {
            try {
                return tries.run(call);
            } finally {
                if (graceCovers) {
                    call.remoteEnded();
                }
            }
        });
        return answer(outcome);
    }

    private Operation<StoredResponse> keyed(@Nullable String given) throws IOException {
        Operation<StoredResponse> operation = settings.idem
                .operation(Objects.requireNonNullElseGet(settings.operation, request::operation))
                .returning(StoredResponse.class)
                .identity(request.identity(rules));
        String inHeader = inHeader();
        if (given != null && hasKey) {
            throw new IllegalArgumentException(request + " has a key as an argument and the header " + provider.field()
                    + ". Leave one of them out, so that a retry can't have another key. Nothing was sent");
        }
        String key = given == null ? inHeader : given;
        if (provider.place() == KeyPlace.FIELD) {
            requireKeyInBody(key);
        }
        if (key != null) {
            return operation.id(key);
        } else if (settings.derivesKeys) {
            return operation;
        }
        throw new IllegalArgumentException(request + " has no key, so a retry would look like a new request. Pass one "
                + "that stays the same over retries and restarts, such as the number of the order, or set the header "
                + rules.keyHeader() + ". deriveKeys() makes keys from method, URL and body. Nothing was sent");
    }

    /** The key that the caller has set as a header. The header of the provider is then sent as it is. */
    private @Nullable String inHeader() {
        List<String> own = provider.place() == KeyPlace.HEADER ? request.headers(provider.field()) : List.of();
        hasKey = !own.isEmpty();
        List<String> lines = hasKey ? own : request.headers(rules.keyHeader());
        return lines.isEmpty() ? null : IdempotencyKey.parse(lines).value();
    }

    private void requireKeyInBody(@Nullable String key) throws IOException {
        if (key == null || !request.bodyHolds(provider.fit(key))) {
            throw new IllegalArgumentException(provider + " takes its key in the body, and the client does not change "
                    + "bodies. Write provider.fit(key) into '" + provider.field()
                    + "' of the body, and pass the same key to the client. Nothing was sent");
        }
    }

    /** The tries of one attempt, which share its time limit. */
    private final class Tries {
        private final long began = System.nanoTime();

        StoredResponse once(Call call) throws Exception {
            ProviderKey key = provider.place() == KeyPlace.HEADER && !hasKey ? provider.keyFor(call) : null;
            if (policy.isStaged()) {
                call.mark("sending");
            }
            Response response = wire.send(key, left());
            Verdict verdict = Verdict.of(response, rules, call.doubted());
            if (verdict.ending() != Ending.FINAL) {
                throw new UnsettledResponseException(response, verdict);
            }
            answered = response;
            return StoredResponse.of(response, rules);
        }

        /** After the time limit a probe may ask what happened, so no request may still be under way. */
        private Duration left() {
            Duration left = policy.timeLimit().minusNanos(System.nanoTime() - began);
            return left.compareTo(Duration.ofMillis(1)) < 0 ? Duration.ofMillis(1) : left;
        }
    }

    private Answer answer(Outcome<StoredResponse> outcome) throws IOException, InterruptedException {
        Response own = answered;
        if (outcome instanceof Outcome.Done<StoredResponse> done && own != null) {
            if (own.isStreamed()) {
                throw notKept(own.status(), done.provenance(), settings.responseLimit(), "largestResponse(...)");
            }
            return new Answer(own, done.provenance(), null);
        } else if (outcome instanceof Outcome.Valued<StoredResponse> valued) {
            return replayed(valued.value(), valued.provenance());
        }
        Throwable failure = Objects.requireNonNull(outcome.failure());
        if (failure instanceof UnsettledResponseException unsettled) {
            return new Answer(unsettled.response(), null, doubt(unsettled));
        } else if (failure instanceof IOException thrown) {
            throw thrown;
        } else if (failure instanceof InterruptedException thrown) {
            throw thrown;
        } else if (failure instanceof Error thrown) {
            throw thrown;
        } else if (failure instanceof RuntimeException thrown) {
            throw thrown;
        }
        throw new IOException(failure);
    }

    /** The exception that the engine attached: a doubt, or an ending that could not be recorded. */
    private static @Nullable IdemException doubt(Throwable failure) {
        for (Throwable attached : failure.getSuppressed()) {
            if (attached instanceof IdemException doubt) {
                return doubt;
            }
        }
        return null;
    }

    private Answer replayed(StoredResponse stored, Provenance from) {
        if (!stored.isKept()) {
            throw notKept(stored.status(), from, rules.largestStoredBody(), "rules.largestStoredBody(...)");
        }
        return new Answer(stored.response().withHeader(Answer.REPLAYED, "true"), from, null);
    }

    private ResultUnavailableException notKept(int status, Provenance from, long limit, String setting) {
        return new ResultUnavailableException(
                settings.idem.find(from.address()).orElseThrow(),
                "the response (" + status + ") was longer than " + limit + " bytes. Set a higher limit with " + setting
                        + ", or ask the remote",
                null);
    }
}
