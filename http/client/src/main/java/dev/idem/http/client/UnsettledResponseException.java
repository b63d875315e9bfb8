package dev.idem.http.client;

import dev.idem.Classifier.Judgement;
import dev.idem.agent.retry.Diagnosis;
import dev.idem.agent.retry.Diagnosis.Outlook;
import dev.idem.agent.retry.Failures;
import dev.idem.agent.retry.RetryAfter;
import dev.idem.http.HttpRules.Ending;
import dev.idem.http.Response;
import java.net.HttpRetryException;

/** A response that is not the result of its request. It ends the attempt, and the caller gets the response. */
final class UnsettledResponseException extends Exception {
    private static final long serialVersionUID = 1;

    /** Judges the responses by their verdicts, and all other failures as failures of the network. */
    static final Failures FAILURES = thrown -> {
        if (thrown instanceof UnsettledResponseException unsettled) {
            return unsettled.diagnosis;
        }
        return thrown instanceof HttpRetryException refused && refused.responseCode() == AuthenticatedBody.UNAUTHORIZED
                ? new Diagnosis(Judgement.DEFINITE, Outlook.LASTING)
                : Failures.network().diagnose(thrown);
    };

    /** The delay that a response asks for. */
    static final RetryAfter RETRY_AFTER = (thrown, now) -> RetryAfter.parse(
            thrown instanceof UnsettledResponseException unsettled
                    ? Verdict.first(unsettled.response, "Retry-After")
                    : "",
            now);

    private final transient Response response;
    private final transient Diagnosis diagnosis;

    UnsettledResponseException(Response response, Verdict verdict) {
        super("the remote answered with " + response.status()
                + (verdict.ending() == Ending.RELEASED
                        ? ", so nothing was done"
                        : ", which does not tell whether the request took effect"));
        this.response = response;
        this.diagnosis = new Diagnosis(
                verdict.ending() == Ending.RELEASED ? Judgement.DEFINITE : Judgement.AMBIGUOUS, verdict.outlook());
    }

    Response response() {
        return response;
    }
}
