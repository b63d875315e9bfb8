package dev.idem.http;

import dev.idem.Json;
import dev.idem.JsonException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The problems (RFC 9457) that the guard answers with. Each says what the client should do next. Profiles and {@link
 * HttpRules#status(Problem, int)} change the statuses.
 */
public enum Problem {
    KEY_MISSING(
            400,
            "%s is missing",
            "This request needs a key. Send it again with the header %s and a new unique value, for instance a UUID in "
                    + "quotes. Nothing was executed."),
    KEY_MALFORMED(
            400,
            "%s is malformed",
            "Send the request again with one line of the header %s that has a quoted string of 1 to 255 printable ASCII "
                    + "characters, for instance a UUID in quotes. Nothing was executed."),
    PRINCIPAL_MISSING(
            401,
            "The caller is not authenticated",
            "A request with the header %s needs an authenticated caller, since keys belong to their caller. "
                    + "Authenticate, then send the same request again. Nothing was executed."),
    PATH_AMBIGUOUS(
            400,
            "The path is ambiguous",
            "The path of this request has an encoded slash, a backslash or a NUL, which servers read in different ways. "
                    + "Send the request again without them. Nothing was executed."),
    BODY_TOO_LARGE(
            413,
            "The body is too large",
            "The body of this request is larger than requests with the header %s may be. Send less at a time. Nothing "
                    + "was executed."),
    BODY_DAMAGED(
            400,
            "The body is damaged",
            "The body of this request can't be read: it is cut off, or it is not what its content type says. Send the "
                    + "whole request again, with the same %s. Nothing was executed."),
    IN_FLIGHT(
            409,
            "A request is outstanding for this %s",
            "The first request with this key still runs. Wait a second, then send the same request with the same %s to "
                    + "get its response. This request executed nothing."),
    IN_DOUBT(
            409,
            "The outcome of the first request is unknown",
            "The first request with this key may or may not have taken effect, and it was not executed again. Do not "
                    + "send it with a new %s: that could do the work twice. Ask the operator of this service to resolve "
                    + "it, then send the same request with the same key to get the response."),
    RESULT_NOT_KEPT(
            409,
            "The response was not kept",
            "The first request with this key was executed, but its response was too large or was streamed, so it can't "
                    + "be sent again. Look up the result by other means. Use a new %s only for new work. This request "
                    + "executed nothing."),
    EXPIRED(
            410,
            "%s has expired",
            "A request with this key was executed long ago, and its response is no longer kept. Use a new %s for new "
                    + "work. This request executed nothing."),
    KEY_REUSED(
            422,
            "%s is already used",
            "The first request with this key had another path, query or body. Send that request unchanged, or use a new "
                    + "%s for this one. This request executed nothing."),
    HELD(
            202,
            "The request waits for approval",
            "A person has to approve this request before it is executed. Send the same request with the same %s later "
                    + "to get the response. Nothing was executed yet."),
    NOT_EXECUTED(
            503,
            "The request was not executed",
            "The service could not execute the request with this key, and nothing took effect. Wait a second, then "
                    + "send the same request with the same %s: it will be executed."),
    LEDGER_UNAVAILABLE(
            503,
            "The record of requests is unavailable",
            "The service can't tell whether this request was executed before, so it executed nothing. Send the same "
                    + "request with the same %s later.");

    private static final String MEDIA_TYPE = "application/problem+json";
    private static final int UNAUTHORIZED = 401;
    private static final String URN = "urn:idem:problem:";

    private final int status;
    private final String title;
    private final String detail;

    Problem(int status, String title, String detail) {
        this.status = status;
        this.title = title;
        this.detail = detail;
    }

    /** The problem that a response of a guard holds; empty for any other response. */
    public static Optional<Problem> of(Response response) {
        List<String> types = response.headers().getOrDefault("Content-Type", List.of());
        if (types.stream().noneMatch(type -> type.startsWith(MEDIA_TYPE))) {
            return Optional.empty();
        }
        try {
            Object type = Json.parse(response.body()) instanceof Map<?, ?> members ? members.get("type") : null;
            return Arrays.stream(values())
                    .filter(problem -> problem.type().equals(type))
                    .findFirst();
        } catch (JsonException e) {
            return Optional.empty();
        }
    }

    /** The type, for instance {@code urn:idem:problem:key-missing}. */
    public String type() {
        return URN + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The status, where no profile sets another. */
    public int status() {
        return status;
    }

    /** A sentence that tells what happened and what to do next. */
    String detail(String keyHeader) {
        return detail.replace("%s", keyHeader);
    }

    /** The problem as a response. */
    Response response(HttpRules rules, String detail) {
        int own = rules.status(this);
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("type", type());
        members.put("title", title.replace("%s", rules.keyHeader()));
        members.put("status", own);
        members.put("detail", detail);
        Response response = Response.of(own)
                .body(MEDIA_TYPE, Json.write(members))
                .withHeader("Cache-Control", "no-store")
                .notExecuted();
        if (own == UNAUTHORIZED) {
            return response.withHeader("WWW-Authenticate", rules.challenge());
        }
        return retryAfter() == 0 ? response : response.withHeader("Retry-After", Integer.toString(retryAfter()));
    }

    /** The seconds after which the same request may get another answer; 0 where time alone changes nothing. */
    private int retryAfter() {
        return switch (this) {
            case IN_FLIGHT, NOT_EXECUTED -> 1;
            case LEDGER_UNAVAILABLE -> 5;
            default -> 0;
        };
    }
}
