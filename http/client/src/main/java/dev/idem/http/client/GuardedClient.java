package dev.idem.http.client;

import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.Probe;
import dev.idem.agent.provider.Provider;
import dev.idem.agent.retry.Retry;
import dev.idem.http.HttpRules;
import dev.idem.http.StoredResponse;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The settings that both clients share. Immutable and thread-safe: every method returns a new client, so a client can be
 * kept for each remote, and changed for one request.
 *
 * @param <C> the client itself
 */
public abstract class GuardedClient<C extends GuardedClient<C>> {
    final ClientSettings settings;

    GuardedClient(ClientSettings settings) {
        this.settings = settings;
    }

    static ClientSettings settings(Idem idem) {
        return new ClientSettings(Objects.requireNonNull(idem, "idem"));
    }

    /**
     * Sets the service that the requests go to: the place and the form of its key, and how long it remembers one. While it
     * does, a request without an answer is sent again with the same key. Default: a remote that gets the key in the header
     * {@code Idempotency-Key} and is not known to heed it.
     */
    public C provider(Provider provider) {
        return with(copy -> copy.provider = provider);
    }

    /** Sets the scope in which keys are unique: a task, a tenant, an account. Default: {@code http-client:} and the host. */
    public C scope(String scope) {
        return with(copy -> copy.scope = scope);
    }

    /** Names the operation. Default: the method, the host and the path, such as {@code POST api.example.com/charges}. */
    public C operation(String name) {
        return with(copy -> copy.operation = name);
    }

    /**
     * Sets options of the calls; they win over options that were set before.
     *
     * @throws IllegalArgumentException for a policy that HTTP has no answer for, as {@link HttpRules#policy} says
     */
    public C policy(Policy policy) {
        return rules(rules -> rules.policy(policy.over(rules.policy())));
    }

    /**
     * Changes the rules: {@code rules -> rules.finalOn(409).storedHeaders("request-id")}. They start from {@link
     * HttpRules#ietf()} with requests of at most 16 MiB. A status of {@code releasedOn} proves that the remote did nothing.
     */
    public C rules(UnaryOperator<HttpRules> change) {
        return with(copy -> {
            UnaryOperator<HttpRules> before = copy.rules;
            copy.rules = rules -> change.apply(before.apply(rules));
        });
    }

    /**
     * Sets how a request is tried again. Default: {@link Retry#standard()}. A {@code Retry-After} that goes past {@link
     * Retry#totalLimit} is not waited for: the caller gets the response. The failures are always judged by the rules.
     */
    public C retry(Retry retry) {
        return with(copy -> copy.retry = retry);
    }

    /** Sets the probe that finds out whether a request in doubt took effect, and which response it would have got. */
    public C probe(Probe<StoredResponse> probe) {
        return with(copy -> copy.probe = probe);
    }

    /**
     * Derives the key of a request that has none from its method, URL and body. Then the same request means the same
     * operation: a second one is a duplicate, even if it was meant as a new order.
     */
    public C deriveKeys() {
        return with(copy -> copy.derivesKeys = true);
    }

    /**
     * Sets how many bytes a response may have. The request of a longer one counts as executed by its status, and its
     * response is not kept: the caller and every duplicate get a {@link dev.idem.ResultUnavailableException}, and
     * nothing is sent again. Default: 16 MiB.
     */
    public C largestResponse(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("a response has 0 bytes or more; " + bytes + " is no limit");
        }
        return with(copy -> copy.largestResponse = bytes);
    }

    abstract C with(ClientSettings changed);

    private C with(Consumer<ClientSettings> change) {
        ClientSettings copy = settings.copy();
        change.accept(copy);
        copy.check();
        return with(copy);
    }
}
