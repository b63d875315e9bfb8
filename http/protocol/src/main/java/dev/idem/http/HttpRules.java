package dev.idem.http;

import dev.idem.Policy;
import dev.idem.SideEffect;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rules of an {@link HttpGuard}: names, statuses, limits and the policy of the calls. Start from a profile and change
 * single values:
 *
 * <pre>{@code
 * HttpRules rules = HttpRules.ietf().keyRequired(true).releasedOn(429, 503).policy(Policy.write().retention(month));
 * }</pre>
 *
 * <p>Immutable and thread-safe: every setter returns new rules.
 */
public final class HttpRules {
    /** The meaning of a response for its key. */
    public enum Ending {
        /** The response is the answer to every duplicate. */
        FINAL,
        /** Nothing happened: the key may be used again. */
        RELEASED,
        /** The request may have taken effect. */
        DOUBTFUL
    }

    private static final Set<String> NEVER_GUARDED = Set.of("GET", "HEAD", "OPTIONS", "TRACE");
    private static final int MIB = 1024 * 1024;

    private String keyHeader = "Idempotency-Key";
    private List<String> keyPlaces = List.of();
    private String replayedHeader = "Idempotent-Replayed";
    private String expiresHeader = "Idempotency-Expires";
    private String recordedHeader = "Idempotent-Recorded";
    private Map<Problem, Integer> statuses = Map.of();
    private boolean keyRequired;
    private boolean principalRequired = true;
    private String challenge = "Bearer";
    private List<Function<Request, @Nullable String>> callerParts = List.of();
    private Set<String> methods = Set.of("POST", "PUT", "PATCH", "DELETE");
    private StatusMeanings endings = StatusMeanings.USUAL;
    private StoredHeaders storedHeaders = StoredHeaders.USUAL;
    private int largestInMemory = MIB;
    private long largestBody = 100L * MIB;
    private int largestStoredBody = MIB;
    private boolean wrapReplays;
    private int waiters = 64;
    private Policy policy = Policy.unset();

    private HttpRules() {}

    private HttpRules(HttpRules from) {
        keyHeader = from.keyHeader;
        keyPlaces = from.keyPlaces;
        replayedHeader = from.replayedHeader;
        expiresHeader = from.expiresHeader;
        recordedHeader = from.recordedHeader;
        statuses = from.statuses;
        keyRequired = from.keyRequired;
        principalRequired = from.principalRequired;
        challenge = from.challenge;
        callerParts = from.callerParts;
        methods = from.methods;
        endings = from.endings;
        storedHeaders = from.storedHeaders;
        largestInMemory = from.largestInMemory;
        largestBody = from.largestBody;
        largestStoredBody = from.largestStoredBody;
        wrapReplays = from.wrapReplays;
        waiters = from.waiters;
        policy = from.policy;
    }

    /** The names and statuses of the IETF draft on the Idempotency-Key header, -07, which is work in progress. */
    public static HttpRules ietf() {
        return new HttpRules();
    }

    /** As {@link #ietf()}, but a key that is used for another request is answered with 400, as Stripe does. */
    public static HttpRules stripe() {
        return ietf().status(Problem.KEY_REUSED, 400);
    }

    /** As {@link #ietf()}, but with the status 423 and the header {@code Idempotency-Replayed} of idemkit. */
    public static HttpRules idemkit() {
        return ietf().status(Problem.IN_FLIGHT, 423).replayedHeader("Idempotency-Replayed");
    }

    /**
     * The profile with this name: {@code ietf}, {@code stripe} or {@code idemkit}.
     *
     * @throws IllegalArgumentException for another name
     */
    public static HttpRules profile(String name) {
        return switch (name) {
            case "ietf" -> ietf();
            case "stripe" -> stripe();
            case "idemkit" -> idemkit();
            default ->
                throw new IllegalArgumentException(
                        "the profile '" + name + "' is not known; use ietf, stripe or idemkit");
        };
    }

    /** Sets the header that holds the key. Default: {@code Idempotency-Key}. */
    public HttpRules keyHeader(String name) {
        return with(copy -> copy.keyHeader = name);
    }

    public String keyHeader() {
        return keyHeader;
    }

    /**
     * Adds places beside the header that may hold the key. {@code "/request_id"} is a JSON pointer (RFC 6901) into a JSON
     * body: a text or an integer. {@code "request_id"} is a parameter: of the query, or of a form. Where several places
     * hold a key, the keys have to be equal; else the request is refused. Default: none, the header alone.
     */
    public HttpRules key(String... places) {
        List<String> all = new ArrayList<>(keyPlaces);
        all.addAll(List.of(places));
        return with(copy -> copy.keyPlaces = List.copyOf(all));
    }

    public List<String> keyPlaces() {
        return keyPlaces;
    }

    /** Sets the header that marks a replay. Default: {@code Idempotent-Replayed}. */
    public HttpRules replayedHeader(String name) {
        return with(copy -> copy.replayedHeader = name);
    }

    public String replayedHeader() {
        return replayedHeader;
    }

    /** Sets the header that says until when duplicates get the response. Default: {@code Idempotency-Expires}. */
    public HttpRules expiresHeader(String name) {
        return with(copy -> copy.expiresHeader = name);
    }

    public String expiresHeader() {
        return expiresHeader;
    }

    /** Sets the header that is {@code false} where a response was not recorded. Default: {@code Idempotent-Recorded}. */
    public HttpRules recordedHeader(String name) {
        return with(copy -> copy.recordedHeader = name);
    }

    public String recordedHeader() {
        return recordedHeader;
    }

    /** Sets the status of a problem. Default: as {@link Problem} says, where the profile says nothing else. */
    public HttpRules status(Problem problem, int status) {
        Map<Problem, Integer> all = new EnumMap<>(Problem.class);
        all.putAll(statuses);
        all.put(problem, status);
        return with(copy -> copy.statuses = all);
    }

    public int status(Problem problem) {
        return statuses.getOrDefault(problem, problem.status());
    }

    /** Sets whether a request without a key is refused. Default: false, and such a request is not guarded. */
    public HttpRules keyRequired(boolean required) {
        return with(copy -> copy.keyRequired = required);
    }

    public boolean keyRequired() {
        return keyRequired;
    }

    /**
     * Sets whether a guarded request without an authenticated caller is refused. Default: true. Without it, all
     * anonymous callers share their keys, and a caller who guesses a key reads the response of another.
     */
    public HttpRules principalRequired(boolean required) {
        return with(copy -> copy.principalRequired = required);
    }

    public boolean principalRequired() {
        return principalRequired;
    }

    /**
     * Sets the header {@code WWW-Authenticate} of the problem for a request without a caller: how to authenticate. Default:
     * {@code Bearer}.
     */
    public HttpRules challenge(String value) {
        return with(copy -> copy.challenge = value);
    }

    public String challenge() {
        return challenge;
    }

    /**
     * Adds a part to the caller, beside the principal: the tenant, the issuer of a token, or the host, where one name can
     * stand for several callers. A request without this part (null or blank) is refused as one without a principal is.
     *
     * <pre>{@code
     * rules.caller(request -> String.join(",", request.headers("X-Tenant-Id")))
     * }</pre>
     *
     * @param part is asked once for each guarded request; in servlets its argument is an {@code HttpServletRequest} too
     */
    public HttpRules caller(Function<Request, @Nullable String> part) {
        List<Function<Request, @Nullable String>> all = new ArrayList<>(callerParts);
        all.add(part);
        return with(copy -> copy.callerParts = List.copyOf(all));
    }

    /** The parts of the caller, and the principal as the last one. A part that is missing is empty. */
    List<String> caller(Request request) {
        List<String> caller = new ArrayList<>();
        for (Function<Request, @Nullable String> part : callerParts) {
            caller.add(named(part.apply(request)));
        }
        caller.add(named(request.principal()));
        return caller;
    }

    private static String named(@Nullable String part) {
        return part == null || part.isBlank() ? "" : part;
    }

    /**
     * Sets the methods that are guarded. Default: POST, PUT, PATCH and DELETE.
     *
     * @throws IllegalArgumentException for GET, HEAD, OPTIONS and TRACE, which are never guarded
     */
    public HttpRules methods(String... guarded) {
        for (String method : guarded) {
            if (NEVER_GUARDED.contains(method)) {
                throw new IllegalArgumentException(method + " changes nothing and is never guarded; leave it out");
            }
        }
        return with(copy -> copy.methods = Set.copyOf(Arrays.asList(guarded)));
    }

    public Set<String> methods() {
        return methods;
    }

    /** Declares that responses with these statuses are final: duplicates get them. */
    public HttpRules finalOn(int... codes) {
        return with(copy -> copy.endings = endings.and(Ending.FINAL, codes));
    }

    /** Declares that a handler that answers with one of these statuses has done nothing: the key may be used again. */
    public HttpRules releasedOn(int... codes) {
        return with(copy -> copy.endings = endings.and(Ending.RELEASED, codes));
    }

    /** Declares that a handler that answers with one of these statuses may have done its work: the key is in doubt. */
    public HttpRules doubtfulOn(int... codes) {
        return with(copy -> copy.endings = endings.and(Ending.DOUBTFUL, codes));
    }

    /**
     * The meaning of a response of a handler. By default 2xx to 4xx are final without 408, 421, 423, 425 and 429, and all
     * others are doubtful. A 409 is doubtful where it has {@code Retry-After}, or is a problem of another guard.
     */
    public Ending ending(Response response) {
        return endings.of(response);
    }

    /**
     * Adds response headers that are stored; {@code x-order-*} stands for all names that begin so. Default: what
     * describes the body and its place, such as Content-Type, Location and ETag.
     *
     * @throws IllegalArgumentException for a header that is never stored: Set-Cookie, Authorization, tokens, rate
     *     limits, and headers of one connection
     */
    public HttpRules storedHeaders(String... more) {
        StoredHeaders all = storedHeaders.and(List.of(more));
        return with(copy -> copy.storedHeaders = all);
    }

    boolean stores(String header) {
        return storedHeaders.stores(header);
    }

    /** Sets how many bytes of a request's body are held in memory. A longer JSON or form is compared byte by byte. Default: 1 MiB. */
    public HttpRules largestInMemory(int bytes) {
        return with(copy -> copy.largestInMemory = bytes);
    }

    public int largestInMemory() {
        return largestInMemory;
    }

    /** Sets how long the body of a guarded request may be. Default: 100 MiB. */
    public HttpRules largestBody(long bytes) {
        return with(copy -> copy.largestBody = bytes);
    }

    public long largestBody() {
        return largestBody;
    }

    /** Sets how many bytes of a response's body are stored. A longer response can't be replayed. Default: 1 MiB. */
    public HttpRules largestStoredBody(int bytes) {
        return with(copy -> copy.largestStoredBody = bytes);
    }

    public int largestStoredBody() {
        return largestStoredBody;
    }

    /**
     * Sets whether a replay of a 2xx response with a JSON body is {@code {"status":"already_processed","result":…}} around
     * that body. A body that has exactly the members {@code status} and {@code result} keeps its result, and gets the new
     * status. Default: false, and a replay has the bytes of the first response.
     */
    public HttpRules wrapReplays(boolean wrap) {
        return with(copy -> copy.wrapReplays = wrap);
    }

    public boolean wrapReplays() {
        return wrapReplays;
    }

    /** Sets how many duplicates of running requests wait at a time. Others are refused at once. Default: 64. */
    public HttpRules waiters(int most) {
        return with(copy -> copy.waiters = most);
    }

    public int waiters() {
        return waiters;
    }

    /**
     * Sets the policy of the calls: how long a duplicate waits ({@link Policy#waitFor}, 10 s by default), how long a
     * response answers duplicates ({@link Policy#retention}), and how long a key answers "expired" after that ({@link
     * Policy#tombstone}, by default not at all: an expired key is a new request).
     *
     * @throws IllegalArgumentException for a policy that HTTP has no answer for: READ, kept failures, retry, approval,
     *     interruptible
     */
    public HttpRules policy(Policy given) {
        if (given.sideEffect() == SideEffect.READ
                || given.keepsFailures()
                || given.retry() != null
                || given.needsApproval()
                || given.isInterruptible()) {
            throw new IllegalArgumentException("a policy for HTTP can't be READ and can't set keep_failures, retry, "
                    + "approval or interrupt; leave them out, or use methods(...) to guard fewer requests");
        }
        return with(copy -> copy.policy = given);
    }

    public Policy policy() {
        return policy;
    }

    /** A problem as a response, for an adapter or a handler that answers with one itself. It frees the key. */
    public Response problem(Problem problem) {
        return problem(problem, problem.detail(keyHeader));
    }

    Response problem(Problem problem, String detail) {
        return problem.response(this, detail);
    }

    private HttpRules with(Consumer<HttpRules> change) {
        HttpRules copy = new HttpRules(this);
        change.accept(copy);
        return copy;
    }

    @Override
    public String toString() {
        List<String> parts = new ArrayList<>(List.of(keyHeader));
        statuses.forEach((problem, status) -> parts.add(problem + "=" + status));
        endings.declared().forEach((status, ending) -> parts.add(status + "=" + ending));
        return "HttpRules" + parts + " " + policy;
    }
}
