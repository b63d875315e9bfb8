package dev.idem.http.client;

import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.Probe;
import dev.idem.agent.provider.Alphabet;
import dev.idem.agent.provider.KeyPlace;
import dev.idem.agent.provider.Provider;
import dev.idem.agent.retry.Retry;
import dev.idem.http.HttpRules;
import dev.idem.http.StoredResponse;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The settings of a client. Written only while a copy is made. */
final class ClientSettings implements Cloneable {
    private static final int LARGEST_BODY = 16 * 1024 * 1024;

    /**
     * The meaning of a remote's statuses. A conflict may be "still in progress" or "already there", perhaps through a proxy
     * that has sent the request twice. The released ones are refusals of a request as such, before anything is done.
     */
    private static final HttpRules RULES = HttpRules.ietf()
            .largestBody(LARGEST_BODY)
            .doubtfulOn(409)
            .releasedOn(401, 405, 407, 411, 414, 415, 421, 423, 425, 426, 429, 431, 501, 505, 511);

    final Idem idem;
    Provider provider = Provider.header("the remote", "Idempotency-Key", 255, Alphabet.VISIBLE_ASCII, null);

    @Nullable
    String scope;

    @Nullable
    String operation;

    UnaryOperator<HttpRules> rules = UnaryOperator.identity();
    Retry retry = Retry.standard();

    @Nullable
    Probe<StoredResponse> probe;

    boolean derivesKeys;
    int largestResponse = LARGEST_BODY;

    ClientSettings(Idem idem) {
        this.idem = idem;
    }

    ClientSettings copy() {
        try {
            return (ClientSettings) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    /** Throws where the rules are not valid, so that the mistake shows where it was made. */
    void check() {
        policy();
    }

    /** How many bytes of a response are read. What may be stored may also be read. */
    int responseLimit() {
        return Math.max(largestResponse, rules().largestStoredBody());
    }

    /** The policy of the caller over the one of the provider. */
    Policy policy() {
        Policy own = rules.apply(RULES).policy();
        return provider.place() == KeyPlace.NONE ? own : own.over(provider.policy());
    }

    HttpRules rules() {
        return rules.apply(RULES);
    }
}
