package dev.idem.server;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An error as it stands in an answer over HTTP.
 *
 * @param code a word for programs
 * @param detail a sentence for people
 */
public record Problem(int status, String code, String detail) {
    /** Its media type. */
    public static final String MEDIA = "application/problem+json";

    private static final int WRONG_MEDIA = 415;

    /**
     * The refusal of a request whose Content-Type is not JSON in UTF-8; null where it is. Forms of other pages can't say so. In
     * another charset the same bytes are another text.
     */
    public static @Nullable Problem unlessJson(@Nullable String contentType) {
        String[] parts = String.valueOf(contentType).toLowerCase(Locale.ROOT).split(";", -1);
        boolean isUtf8 = Arrays.stream(parts)
                .map(String::strip)
                .filter(part -> part.startsWith("charset"))
                .allMatch(part -> part.matches("charset=(\"?)utf-?8\\1"));
        return isUtf8 && parts[0].strip().equals("application/json")
                ? null
                : new Problem(
                        WRONG_MEDIA,
                        "malformed",
                        "send the header Content-Type: application/json (curl --json does), and the text in UTF-8. "
                                + "Nothing was done");
    }

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
