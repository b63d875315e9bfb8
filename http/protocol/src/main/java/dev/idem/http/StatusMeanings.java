package dev.idem.http;

import dev.idem.http.HttpRules.Ending;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The meaning of a handler's responses for their keys: the usual one of each status, and those that were declared. */
record StatusMeanings(Map<Integer, Ending> declared) {
    static final StatusMeanings USUAL = new StatusMeanings(Map.of());

    private static final Set<Integer> NOT_FINAL = Set.of(408, 421, 423, 425, 429);
    private static final int CONFLICT = 409;

    StatusMeanings and(Ending ending, int... codes) {
        Map<Integer, Ending> all = new HashMap<>(declared);
        for (int code : codes) {
            all.put(code, ending);
        }
        return new StatusMeanings(all);
    }

    Ending of(Response response) {
        if (response.doubt().isPresent()) {
            return Ending.DOUBTFUL;
        }
        return response.isNotExecuted()
                ? Ending.RELEASED
                : declared.getOrDefault(response.status(), isUsuallyFinal(response) ? Ending.FINAL : Ending.DOUBTFUL);
    }

    private static boolean isUsuallyFinal(Response response) {
        int status = response.status();
        if (status == CONFLICT) {
            // "Still in progress" says nothing about the end.
            return !response.headers().containsKey("Retry-After")
                    && Problem.of(response).isEmpty();
        }
        return status == 101 || (status >= 200 && status < 500 && !NOT_FINAL.contains(status));
    }
}
