package dev.idem.server;

/**
 * An error as it stands in an answer over HTTP.
 *
 * @param code a word for programs
 * @param detail a sentence for people
 */
public record Problem(int status, String code, String detail) {
    /** Its media type. */
    public static final String MEDIA = "application/problem+json";

    /** An error of the API. */
    public static Problem of(ApiException why) {
        return new Problem(why.error().status(), why.error().word(), String.valueOf(why.getMessage()));
    }

    /** Whatever else goes wrong while a request is answered. */
    public static Problem of(Throwable why) {
        return of(new ApiException(
                ApiError.INTERNAL,
                "an error of the server: " + why + ". The step may have been made: send the same request again",
                why));
    }

    /** The answer. */
    public String json() {
        return new Answer()
                        .with("type", "about:blank")
                        .with("status", status)
                        .with("code", code)
                        .with("detail", detail)
                        .json()
                + "\n";
    }
}
