package dev.idem.http.suite;

import static dev.idem.http.suite.Sent.post;
import static dev.idem.http.suite.Work.answers;

import dev.idem.Policy;
import dev.idem.http.HttpRules;
import dev.idem.http.Problem;
import dev.idem.http.Response;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The table of rules that every surface over HTTP keeps. */
public final class HttpCases {
    private static final Policy AT_ONCE = Policy.unset().waitFor(Duration.ZERO);
    private static final Duration BRIEF = Duration.ofMillis(2);
    private static final Duration LONGER = Duration.ofMillis(5);
    static final HttpRules RULES = HttpRules.ietf().policy(AT_ONCE);
    private static final Sent ORDER = post("/orders").key("\"k-1\"").json("{\"item\":\"tea\",\"count\":1}");
    private static final Work CREATED =
            answers(Response.of(201).header("Location", "/orders/1").body("application/json", "{\"order\":1}"));
    private static final Work OK = answers(200, "text/plain", "ok");

    private HttpCases() {}

    /** All cases. */
    public static List<HttpCase> all() {
        List<HttpCase> all = new ArrayList<>();
        all.addAll(replays());
        all.addAll(keys());
        all.addAll(addresses());
        all.addAll(fingerprints());
        all.addAll(endings());
        all.addAll(bodies());
        all.addAll(duplicatesOfRunning());
        all.addAll(expiry());
        all.addAll(profiles());
        all.addAll(FoundingCases.all());
        return all;
    }

    private static List<HttpCase> replays() {
        Work headers = answers(Response.of(201)
                .header("Location", "/orders/1")
                .header("ETag", "\"1\"")
                .header("X-Order-Id", "1")
                .header("X-Internal", "yes")
                .header("Cache-Control", "max-age=60")
                .header("Set-Cookie", "session=1")
                .header("X-CSRF-Token", "secret")
                .header("X-RateLimit-Remaining", "9")
                .header("X-Rate-Limit-Left", "9")
                .body("application/json", "{\"order\":1}"));
        String[] links = IntStream.range(0, 12)
                .mapToObj(page -> "</orders?page=" + page + ">; rel=\"item\"")
                .toArray(String[]::new);
        Response vary = CREATED.response()
                .header("Vary", "Origin")
                .header("Vary", "Accept")
                .header("Vary", "Prefer");
        Work repeated = answers(
                Stream.of(links).reduce(vary, (response, link) -> response.header("Link", link), (some, more) -> more));
        return List.of(
                HttpCase.of("a duplicate gets the stored response", RULES.storedHeaders("x-order-*", "x-rate*"))
                        .runs(ORDER, headers)
                        .receivesItsBody()
                        .header("Idempotency-Key", "\"k-1\"")
                        .present("Idempotency-Expires")
                        .absent("Idempotent-Replayed")
                        .absent("Idempotent-Recorded")
                        .header("Cache-Control", "max-age=60")
                        .header("X-Internal", "yes")
                        .header("Set-Cookie", "session=1")
                        .replays(ORDER)
                        .header("Idempotency-Key", "\"k-1\"")
                        .present("Idempotency-Expires")
                        .header("Location", "/orders/1")
                        .header("ETag", "\"1\"")
                        .header("X-Order-Id", "1")
                        .absent("X-Internal")
                        .absent("Set-Cookie")
                        .absent("X-CSRF-Token")
                        .absent("X-RateLimit-Remaining")
                        .absent("X-Rate-Limit-Left")
                        .replays(ORDER),
                HttpCase.of("a header that is set after the body is replayed", RULES)
                        .runs(ORDER, Work.answersHeadersLast(CREATED.response()))
                        .header("Location", "/orders/1")
                        .receivesItsBody()
                        .replays(ORDER)
                        .header("Location", "/orders/1"),
                HttpCase.of("a header of several lines is replayed line by line", RULES)
                        .runs(ORDER, repeated)
                        .lines("Vary", "Origin", "Accept", "Prefer")
                        .lines("Link", links)
                        .replays(ORDER)
                        .lines("Vary", "Origin", "Accept", "Prefer")
                        .lines("Link", links),
                HttpCase.of("a request without a key is not guarded", RULES)
                        .runs(post("/orders").json("{}"), CREATED)
                        .absent("Idempotency-Expires")
                        .runs(post("/orders").json("{}"), CREATED),
                HttpCase.of("GET and OPTIONS are never guarded", RULES.keyRequired(true))
                        .runs(Sent.of("GET", "/orders/1").key("k"), OK)
                        .runs(Sent.of("GET", "/orders/1").key("k"), OK)
                        .runs(Sent.of("GET", "/orders/1"), OK)
                        .runs(Sent.of("OPTIONS", "/orders/1").key("k"), OK)
                        .runs(Sent.of("OPTIONS", "/orders/1").key("k"), OK),
                HttpCase.of("PUT, PATCH and DELETE with a key are guarded", RULES)
                        .runs(Sent.of("DELETE", "/orders/1").key("k"), OK)
                        .replays(Sent.of("DELETE", "/orders/1").key("k"))
                        .runs(Sent.of("PUT", "/orders/1").key("k"), OK)
                        .replays(Sent.of("PUT", "/orders/1").key("k"))
                        .runs(Sent.of("PATCH", "/orders/1").key("k"), OK)
                        .replays(Sent.of("PATCH", "/orders/1").key("k")),
                HttpCase.of("only the chosen methods are guarded", RULES.methods("POST"))
                        .runs(Sent.of("DELETE", "/orders/1").key("k"), OK)
                        .runs(Sent.of("DELETE", "/orders/1").key("k"), OK));
    }

    private static List<HttpCase> keys() {
        List<HttpCase> cases = new ArrayList<>();
        cases.add(HttpCase.of("a quoted and a bare key are the same", RULES)
                .runs(post("/orders").key("\"k-1\""), CREATED)
                .replays(post("/orders").key("k-1"))
                .header("Idempotency-Key", "k-1")
                .replays(post("/orders").key("  \"k-1\";v=1;secret "))
                .header("Idempotency-Key", "\"k-1\""));
        cases.add(HttpCase.of("a quoted key may have spaces and commas", RULES)
                .runs(post("/orders").key("\"order 7, \\\"tea\\\"\""), CREATED)
                .replays(post("/orders").key("\"order 7, \\\"tea\\\"\""))
                .header("Idempotency-Key", "\"order 7, \\\"tea\\\"\""));
        cases.add(HttpCase.of("a key is required where the rules say so", RULES.keyRequired(true))
                .doesNotRun(post("/orders"))
                .problem(Problem.KEY_MISSING)
                .runs(post("/orders").key("k"), CREATED));
        for (String malformed :
                List.of("\"\"", "\"  \"", "a,b", "\"a\", \"b\"", "\"a", "\"a\"b", "a b", "k".repeat(256), "\"\\n\"")) {
            String shown = malformed.length() > 20 ? "of 256 characters" : malformed;
            cases.add(HttpCase.of("the key " + shown + " is malformed", RULES)
                    .doesNotRun(post("/orders").key(malformed))
                    .problem(Problem.KEY_MALFORMED)
                    .absent("Idempotency-Key"));
        }
        cases.add(HttpCase.of("two lines of the header are malformed, even if they are equal", RULES)
                .doesNotRun(post("/orders").key("k").key("k"))
                .problem(Problem.KEY_MALFORMED));
        cases.add(HttpCase.of("a key of 255 characters is taken", RULES)
                .runs(post("/orders").key("k".repeat(255)), CREATED)
                .replays(post("/orders").key("\"" + "k".repeat(255) + "\"")));
        return cases;
    }

    private static List<HttpCase> addresses() {
        HttpRules tenants = RULES.caller(request -> String.join(",", request.headers("X-Tenant")));
        return List.of(
                HttpCase.of("a key belongs to its caller", RULES)
                        .runs(ORDER, CREATED)
                        .runs(ORDER.by("bob"), answers(201, "text/plain", "of bob"))
                        .receivesItsBody()
                        .replays(ORDER),
                HttpCase.of("a guarded request without a caller is refused", RULES)
                        .doesNotRun(ORDER.by(""))
                        .problem(Problem.PRINCIPAL_MISSING)
                        .header("WWW-Authenticate", "Bearer")
                        .runs(post("/orders").by(""), CREATED),
                HttpCase.of("anonymous callers are guarded where the rules say so", RULES.principalRequired(false))
                        .runs(ORDER.by(""), CREATED)
                        .replays(ORDER.by(""))
                        .runs(ORDER, CREATED),
                HttpCase.of("a tenant is part of the caller", tenants)
                        .runs(ORDER.header("X-Tenant", "acme"), CREATED)
                        .runs(ORDER.header("X-Tenant", "umbrella"), answers(201, "text/plain", "of umbrella"))
                        .receivesItsBody()
                        .replays(ORDER.header("X-Tenant", "acme")),
                HttpCase.of("a guarded request without its tenant is refused", tenants)
                        .doesNotRun(ORDER)
                        .problem(Problem.PRINCIPAL_MISSING)
                        .runs(ORDER.header("X-Tenant", "acme"), CREATED),
                HttpCase.of("a key belongs to its route and method", RULES)
                        .runs(post("/orders").key("k"), CREATED)
                        .runs(post("/refunds").key("k"), CREATED)
                        .runs(Sent.of("PUT", "/orders").key("k"), OK)
                        .replays(post("/orders").key("k")));
    }

    private static List<HttpCase> fingerprints() {
        return List.of(
                HttpCase.of("a key that is used for another body is refused", RULES)
                        .runs(ORDER, CREATED)
                        .doesNotRun(post("/orders").key("k-1").json("{\"item\":\"tea\",\"count\":2}"))
                        .problem(Problem.KEY_REUSED)
                        .header("Idempotency-Key", "k-1")
                        .replays(ORDER),
                HttpCase.of("a key that is used for another path or query is refused", RULES)
                        .runs(post("/orders/7/refunds?full=true").key("k"), CREATED)
                        .doesNotRun(post("/orders/8/refunds?full=true").key("k"))
                        .problem(Problem.KEY_REUSED)
                        .doesNotRun(post("/orders/7/refunds?full=false").key("k"))
                        .problem(Problem.KEY_REUSED)
                        .replays(post("/orders/7/refunds?full=true").key("k")),
                HttpCase.of("the spelling of a path does not count", RULES)
                        .runs(post("/orders").key("k"), CREATED)
                        .replays(post("/%6Frders").key("k"))
                        .replays(post("/%6frders").key("k")),
                HttpCase.of("the form of JSON does not count, its values do", RULES)
                        .runs(ORDER, CREATED)
                        .replays(post("/orders")
                                .key("k-1")
                                .body("Application/JSON; charset=utf-8", " {\"count\": 1.0,\n \"item\":\"\\u0074ea\"}"))
                        .doesNotRun(post("/orders").key("k-1").json("{\"item\":\"tea\",\"count\":1,\"note\":null}"))
                        .problem(Problem.KEY_REUSED)
                        .doesNotRun(post("/orders").key("k-1").body("text/plain", "{\"item\":\"tea\",\"count\":1}"))
                        .problem(Problem.KEY_REUSED),
                HttpCase.of("the order of the fields of a form does not count", RULES)
                        .runs(form("item=tea+pot&tag=a&tag=b"), CREATED)
                        .replays(form("tag=a&item=tea%20pot&tag=b"))
                        .doesNotRun(form("item=tea+pot&tag=b&tag=a"))
                        .problem(Problem.KEY_REUSED),
                HttpCase.of("the boundary of a multipart body does not count", RULES)
                        .runs(multipart("one", "a.txt", "hello"), CREATED)
                        .replays(multipart("two", "a.txt", "hello"))
                        .doesNotRun(multipart("three", "b.txt", "hello"))
                        .problem(Problem.KEY_REUSED)
                        .doesNotRun(multipart("four", "a.txt", "hullo"))
                        .problem(Problem.KEY_REUSED));
    }

    private static Sent form(String fields) {
        return post("/orders").key("k").body("application/x-www-form-urlencoded", fields);
    }

    private static Sent multipart(String boundary, String file, String content) {
        return post("/files")
                .key("k")
                .body(
                        "multipart/form-data; boundary=" + boundary,
                        "--" + boundary + "\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nreport\r\n--"
                                + boundary + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + file
                                + "\"\r\nContent-Type: text/plain\r\n\r\n" + content + "\r\n--" + boundary + "--\r\n");
    }

    private static List<HttpCase> endings() {
        List<HttpCase> cases = new ArrayList<>();
        for (int status : List.of(200, 202, 303, 400, 401, 402, 404, 409, 422)) {
            cases.add(HttpCase.of(status + " is final", RULES)
                    .runs(ORDER, answers(status, "text/plain", "status " + status))
                    .receivesItsBody()
                    .replays(ORDER));
        }
        for (int status : List.of(408, 421, 423, 425, 429, 500, 503)) {
            cases.add(HttpCase.of(status + " leaves a doubt, and its client gets it", RULES)
                    .runs(ORDER, answers(status, "text/plain", "status " + status))
                    .receivesItsBody()
                    .absent("Idempotency-Expires")
                    .doesNotRun(ORDER)
                    .problem(Problem.IN_DOUBT));
        }
        cases.add(HttpCase.of("409 with Retry-After leaves a doubt, and its client gets it", RULES)
                .runs(ORDER, answers(Response.of(409).header("Retry-After", "1").body("text/plain", "soon")))
                .receivesItsBody()
                .doesNotRun(ORDER)
                .problem(Problem.IN_DOUBT));
        cases.add(HttpCase.of("409 of another guard leaves a doubt, and its client gets it", RULES)
                .runs(ORDER, answers(409, "application/problem+json", "{\"type\":\"urn:idem:problem:in-doubt\"}"))
                .receivesItsBody()
                .doesNotRun(ORDER)
                .problem(Problem.IN_DOUBT));
        cases.add(HttpCase.of("a declared status frees the key", RULES.releasedOn(429, 503))
                .runs(ORDER, answers(503, "text/plain", "not now"))
                .receivesItsBody()
                .runs(ORDER, answers(429, "text/plain", "slowly"))
                .receivesItsBody()
                .runs(ORDER, CREATED)
                .doesNotRun(ORDER)
                .header("Idempotent-Replayed", "true")
                .status(201));
        cases.add(HttpCase.of(
                        "statuses can be declared final and doubtful",
                        RULES.finalOn(503).doubtfulOn(404))
                .runs(ORDER, answers(503, "text/plain", "broken"))
                .replays(ORDER)
                .runs(post("/refunds").key("k"), answers(404, "text/plain", "where?"))
                .doesNotRun(post("/refunds").key("k"))
                .problem(Problem.IN_DOUBT));
        cases.add(HttpCase.of("a response that declares that nothing happened frees the key", RULES)
                .runs(ORDER, answers(Response.of(500).body("text/plain", "no").notExecuted()))
                .receivesItsBody()
                .runs(ORDER, CREATED));
        cases.add(
                HttpCase.of("a success whose transaction was rolled back leaves a doubt, and its client gets it", RULES)
                        .runs(ORDER, answers(CREATED.response().inDoubt("its rows are gone")))
                        .receivesItsBody()
                        .doesNotRun(ORDER)
                        .problem(Problem.IN_DOUBT));
        cases.add(HttpCase.of("NotExecutedException frees the key", RULES)
                .runs(ORDER, Work.throwingNotExecuted())
                .problem(Problem.NOT_EXECUTED)
                .header("Retry-After", "1")
                .runs(ORDER, CREATED));
        cases.add(HttpCase.of("a problem has no headers of the handler", RULES)
                .runs(
                        ORDER,
                        Work.throwingNotExecutedAfter(Response.of(503)
                                .header("Content-Type", "image/png")
                                .header("Content-Encoding", "gzip")
                                .header("ETag", "\"1\"")
                                .header("X-Internal", "yes")))
                .problem(Problem.NOT_EXECUTED)
                .absent("Content-Encoding")
                .absent("ETag")
                .absent("X-Internal")
                .header("Idempotency-Key", "\"k-1\""));
        cases.add(HttpCase.of("any other exception leaves a doubt", RULES)
                .runs(ORDER, Work.throwing())
                .doesNotRun(ORDER)
                .problem(Problem.IN_DOUBT)
                .header("Idempotency-Key", "\"k-1\""));
        cases.add(HttpCase.of("a request that waits for approval frees the key", RULES)
                .runs(ORDER, answers(RULES.problem(Problem.HELD)))
                .problem(Problem.HELD)
                .runs(ORDER, CREATED));
        return cases;
    }

    private static List<HttpCase> bodies() {
        byte[] binary = new byte[512];
        for (int i = 0; i < binary.length; i++) {
            binary[i] = (byte) i;
        }
        return List.of(
                HttpCase.of("the bytes of a binary body are replayed", RULES)
                        .runs(
                                ORDER,
                                answers(Response.of(200)
                                        .header("Content-Type", "image/png")
                                        .body(binary)))
                        .receivesItsBody()
                        .replays(ORDER),
                HttpCase.of("a text of any characters is replayed", RULES)
                        .runs(
                                ORDER,
                                answers(200, "text/plain;charset=utf-8", "\ufeffth\u00e9 \u0000 \ud83c\udf75 \"\\\r\n"))
                        .receivesItsBody()
                        .replays(ORDER),
                HttpCase.of("a text in Latin-1 is replayed", RULES)
                        .runs(
                                ORDER,
                                answers(Response.of(200)
                                        .header("Content-Type", "text/plain;charset=iso-8859-1")
                                        .body("th\u00e9".getBytes(StandardCharsets.ISO_8859_1))))
                        .receivesItsBody()
                        .replays(ORDER),
                HttpCase.of("a response without a body is replayed", RULES)
                        .runs(ORDER, answers(Response.of(204)))
                        .replays(ORDER),
                HttpCase.of("a stream reaches its client and is not replayed", RULES)
                        .runs(ORDER, Work.streams(200, "data: 1\n\ndata: 2\n\n"))
                        .receivesItsBody()
                        .doesNotRun(ORDER)
                        .problem(Problem.RESULT_NOT_KEPT),
                HttpCase.of("a response that is too large to store is not replayed", RULES.largestStoredBody(10))
                        .runs(ORDER, answers(200, "text/plain", "0123456789a"))
                        .receivesItsBody()
                        .doesNotRun(ORDER)
                        .problem(Problem.RESULT_NOT_KEPT),
                HttpCase.of("a request that is too large is refused", RULES.largestBody(10))
                        .doesNotRun(post("/files").key("k").body("text/plain", "0123456789a"))
                        .problem(Problem.BODY_TOO_LARGE)
                        .runs(post("/files").key("k").body("text/plain", "0123456789"), CREATED));
    }

    private static List<HttpCase> duplicatesOfRunning() {
        return List.of(
                HttpCase.of("a duplicate of a running request is told so", RULES)
                        .runs(ORDER, CREATED)
                        .doesNotRunMeanwhile(ORDER)
                        .problem(Problem.IN_FLIGHT)
                        .header("Retry-After", "1")
                        .replays(ORDER),
                HttpCase.of("a key that is used for another request is refused while the first runs", RULES)
                        .runs(ORDER, CREATED)
                        .doesNotRunMeanwhile(post("/orders").key("k-1").json("{}"))
                        .problem(Problem.KEY_REUSED)
                        .absent("Retry-After"));
    }

    /** The retention is for responses. It says nothing about a request that runs, or that may have taken effect. */
    private static List<HttpCase> expiry() {
        HttpRules brief = RULES.policy(AT_ONCE.retention(BRIEF));
        return List.of(
                HttpCase.of("a response that has expired frees the key", brief)
                        .pausing(LONGER)
                        .runs(ORDER, CREATED)
                        .runs(ORDER, CREATED),
                HttpCase.of("a request that runs longer than the retention keeps its key", brief)
                        .pausing(LONGER)
                        .runs(ORDER, CREATED)
                        .doesNotRunMeanwhile(ORDER)
                        .problem(Problem.IN_FLIGHT),
                HttpCase.of("a doubt does not expire", brief)
                        .pausing(LONGER)
                        .runs(ORDER, Work.throwing())
                        .doesNotRun(ORDER)
                        .problem(Problem.IN_DOUBT));
    }

    private static List<HttpCase> profiles() {
        List<HttpCase> cases = new ArrayList<>();
        cases.add(statuses("stripe", HttpRules.stripe(), 400, 409));
        cases.add(statuses("idemkit", HttpRules.idemkit(), 422, 423));
        cases.add(HttpCase.of("idemkit has its own marker", HttpRules.idemkit())
                .runs(ORDER, CREATED)
                .replays(ORDER)
                .header("Idempotency-Replayed", "true")
                .absent("Idempotent-Replayed"));
        cases.add(HttpCase.of(
                        "every value of a profile can be changed",
                        RULES.keyHeader("X-Once")
                                .replayedHeader("X-Replay")
                                .expiresHeader("X-Until")
                                .status(Problem.KEY_REUSED, 418))
                .runs(post("/orders").header("X-Once", "a"), CREATED)
                .present("X-Until")
                .header("X-Once", "a")
                .replays(post("/orders").header("X-Once", "a"))
                .header("X-Replay", "true")
                .doesNotRun(post("/orders").header("X-Once", "a").json("{}"))
                .problem(Problem.KEY_REUSED)
                .status(418));
        return cases;
    }

    private static HttpCase statuses(String name, HttpRules profile, int reused, int inFlight) {
        return HttpCase.of(name + " has its own statuses", profile.policy(AT_ONCE))
                .runs(ORDER, CREATED)
                .doesNotRunMeanwhile(ORDER)
                .problem(Problem.IN_FLIGHT)
                .status(inFlight)
                .doesNotRun(post("/orders").key("k-1").json("{}"))
                .problem(Problem.KEY_REUSED)
                .status(reused)
                .replays(ORDER);
    }
}
