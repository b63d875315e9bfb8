package dev.idem.http.client;

import dev.idem.agent.retry.Diagnosis.Outlook;
import dev.idem.agent.retry.HttpStatus;
import dev.idem.http.HttpRules;
import dev.idem.http.HttpRules.Ending;
import dev.idem.http.Problem;
import dev.idem.http.Response;
import java.util.List;
import java.util.Optional;

/**
 * The meaning of a response for its request.
 *
 * @param outlook whether another try may get another response
 */
record Verdict(Ending ending, Outlook outlook) {
    private static final int CONFLICT = 409;
    private static final int SUCCESS_END = 300;

    /**
     * Judges a response.
     *
     * @param doubted whether an earlier request with this key may have taken effect
     */
    static Verdict of(Response response, HttpRules rules, boolean doubted) {
        Optional<Problem> problem = Problem.of(response);
        if (problem.isPresent()) {
            return of(problem.get());
        }
        int status = response.status();
        Ending ending = rules.ending(response);
        boolean inProgress = status == CONFLICT && ending == Ending.DOUBTFUL;
        Outlook outlook =
                inProgress ? Outlook.PASSING : HttpStatus.diagnose(status).outlook();
        if ("true".equalsIgnoreCase(first(response, rules.replayedHeader()))) {
            // The remote has stored it, so another try gets the same.
            return new Verdict(ending, Outlook.LASTING);
        }
        boolean triedAgain = ending == Ending.RELEASED && outlook == Outlook.PASSING;
        if (doubted && status >= SUCCESS_END && ending != Ending.DOUBTFUL && !triedAgain) {
            // A login that has ended since, or a gateway, refuses this request. The earlier one may have taken effect.
            return new Verdict(Ending.DOUBTFUL, Outlook.LASTING);
        }
        return new Verdict(ending, outlook);
    }

    /** The problems of a remote that uses Idem itself. */
    private static Verdict of(Problem problem) {
        return switch (problem) {
            case IN_FLIGHT -> new Verdict(Ending.DOUBTFUL, Outlook.PASSING);
            case IN_DOUBT -> new Verdict(Ending.DOUBTFUL, Outlook.LASTING);
            // It was executed, and this is all that the remote still knows about it.
            case RESULT_NOT_KEPT, EXPIRED -> new Verdict(Ending.FINAL, Outlook.LASTING);
            case NOT_EXECUTED, LEDGER_UNAVAILABLE -> new Verdict(Ending.RELEASED, Outlook.PASSING);
            case KEY_MISSING,
                    KEY_MALFORMED,
                    PRINCIPAL_MISSING,
                    PATH_AMBIGUOUS,
                    BODY_TOO_LARGE,
                    BODY_DAMAGED,
                    KEY_REUSED,
                    HELD -> new Verdict(Ending.RELEASED, Outlook.LASTING);
        };
    }

    static String first(Response response, String header) {
        List<String> lines = response.headers().getOrDefault(header, List.of());
        return lines.isEmpty() ? "" : lines.get(0);
    }
}
