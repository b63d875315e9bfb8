package dev.idem.http.suite;

import static dev.idem.http.suite.Sent.post;
import static dev.idem.http.suite.Work.answers;

import dev.idem.http.HttpRules;
import dev.idem.http.Problem;
import dev.idem.http.Response;
import java.util.List;

/** The rules of handlers whose requests carry their id in the body or in a parameter, and that tell a duplicate so. */
final class FoundingCases {
    private static final HttpRules ANYWHERE =
            HttpCases.RULES.key("/request_id", "request_id").largestInMemory(60);
    private static final HttpRules WRAPPED = HttpCases.RULES.wrapReplays(true);
    private static final Sent RUN = post("/orders");
    private static final String TASK = "{\"request_id\":\"r-1\",\"task\":\"book\"}";
    private static final Work BOOKED = answers(200, "application/json", "{\"price\":1.0}");

    private FoundingCases() {}

    static List<HttpCase> all() {
        return List.of(
                HttpCase.of("a key may come from the body", ANYWHERE)
                        .runs(RUN.json(TASK), BOOKED)
                        .header("Idempotency-Key", "\"r-1\"")
                        .replays(RUN.json(TASK))
                        .doesNotRun(RUN.json("{\"request_id\":\"r-1\",\"task\":\"cancel\"}"))
                        .problem(Problem.KEY_REUSED)
                        .runs(RUN.json("{\"request_id\":\"r-2\",\"task\":\"book\"}"), BOOKED)
                        .runs(RUN.json("{\"task\":\"book\"}"), BOOKED)
                        .runs(RUN.json("{\"task\":\"book\"}"), BOOKED),
                HttpCase.of("a key may come from a parameter", ANYWHERE)
                        .runs(post("/orders?request_id=r-1").json("{}"), BOOKED)
                        .replays(post("/orders?request_id=r-1").json("{}"))
                        .runs(post("/orders?request_id=r-2").json("{}"), BOOKED),
                HttpCase.of("a key may come from a field of a form", ANYWHERE)
                        .runs(form("request_id=r%201&task=book"), BOOKED)
                        .replays(form("request_id=r%201&task=book"))
                        .header("Idempotency-Key", "\"r 1\""),
                HttpCase.of("the keys of header and body have to agree", ANYWHERE)
                        .runs(RUN.key("r-1").json(TASK), BOOKED)
                        .replays(RUN.key("\"r-1\"").json(TASK))
                        .doesNotRun(RUN.key("r-2").json(TASK))
                        .problem(Problem.KEY_MALFORMED),
                HttpCase.of("an integer in the body is a key", ANYWHERE)
                        .runs(RUN.json("{\"request_id\":17}"), BOOKED)
                        .replays(RUN.key("17").json("{\"request_id\":17}"))
                        .runs(RUN.json("{\"request_id\":12345678901234567890}"), BOOKED)
                        .replays(RUN.key("12345678901234567890").json("{\"request_id\":12345678901234567890}")),
                HttpCase.of("a body that may hold a key but is no JSON is refused", ANYWHERE)
                        .doesNotRun(RUN.json("{\"request_id\":\"r-1\",\"request_id\":\"r-2\"}"))
                        .problem(Problem.KEY_MALFORMED)
                        .doesNotRun(RUN.json("{\"request_id\":[1]}"))
                        .problem(Problem.KEY_MALFORMED)
                        .doesNotRun(RUN.json("{\"request_id\":\"\"}"))
                        .problem(Problem.KEY_MALFORMED),
                HttpCase.of("a body that is too large to look for a key is refused", ANYWHERE)
                        .doesNotRun(RUN.key("r-1").json("{\"task\":\"" + "x".repeat(60) + "\"}"))
                        .problem(Problem.BODY_TOO_LARGE)
                        .runs(RUN.json(TASK), BOOKED),
                HttpCase.of("a replay may say that the request was already processed", WRAPPED)
                        .runs(
                                RUN.key("k"),
                                answers(Response.of(200)
                                        .header("ETag", "\"1\"")
                                        .body("application/json", "{\"price\":1.0}")))
                        .receivesItsBody()
                        .doesNotRun(RUN.key("k"))
                        .status(200)
                        .header("Idempotent-Replayed", "true")
                        .absent("ETag")
                        .body("{\"status\":\"already_processed\",\"result\":{\"price\":1.0}}"),
                HttpCase.of("a replay of status and result has its result and the new status", WRAPPED)
                        .runs(
                                RUN.key("k"),
                                answers(200, "application/json", "{\"status\":\"complete\",\"result\":[1.50,null]}"))
                        .receivesItsBody()
                        .doesNotRun(RUN.key("k"))
                        .body("{\"status\":\"already_processed\",\"result\":[1.50,null]}"),
                HttpCase.of("only a success in JSON is wrapped", WRAPPED)
                        .runs(RUN.key("k-1"), answers(422, "application/json", "{\"error\":1}"))
                        .replays(RUN.key("k-1"))
                        .runs(RUN.key("k-2"), answers(422, "application/json", "{\"error\":1}"))
                        .doesNotRun(RUN.key("k-1").json("{}"))
                        .problem(Problem.KEY_REUSED),
                HttpCase.of("a text is not wrapped", WRAPPED)
                        .runs(RUN.key("k"), answers(200, "text/plain", "1"))
                        .replays(RUN.key("k")));
    }

    private static Sent form(String fields) {
        return RUN.body("application/x-www-form-urlencoded", fields);
    }
}
