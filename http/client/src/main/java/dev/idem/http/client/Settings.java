package dev.idem.http.client;

import dev.idem.Classifier.Judgement;
import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.Probe;
import dev.idem.agent.provider.Alphabet;
import dev.idem.agent.provider.KeyPlace;
import dev.idem.agent.provider.Provider;
import dev.idem.agent.retry.HttpStatus;
import dev.idem.agent.retry.Retry;
import dev.idem.http.HttpRules;
import dev.idem.http.HttpRules.Ending;
import dev.idem.http.Response;
import dev.idem.http.StoredResponse;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The settings of a client. Written only while a copy is made. */
final class Settings implements Cloneable {
    private static final int LARGEST_BODY = 16 * 1024 * 1024;
    private static final int CONFLICT = 409;
    private static final HttpRules RULES = usual();

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

    Settings(Idem idem) {
        this.idem = idem;
    }

    Settings copy() {
        try {
            return (Settings) clone();
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

    /**
     * The rules. A conflict is "in progress under the same key" to a remote that heeds keys. Any other remote refuses the
     * request with it, since nothing was sent under this key before.
     */
    HttpRules rules() {
        boolean knowsKeys = policy().passesKeyTo() != null;
        return rules.apply(knowsKeys ? RULES.doubtfulOn(CONFLICT) : RULES);
    }

    /** The rules of the protocol, where a refusal that proves that nothing happened frees the key. */
    private static HttpRules usual() {
        HttpRules rules = HttpRules.ietf().largestBody(LARGEST_BODY).releasedOn(CONFLICT);
        for (int status = 400; status < 600; status++) {
            boolean definite = HttpStatus.diagnose(status).judgement() == Judgement.DEFINITE;
            if (definite && rules.ending(Response.of(status)) == Ending.DOUBTFUL) {
                rules = rules.releasedOn(status);
            }
        }
        return rules;
    }
}
