package dev.idem.server.notice;

import dev.idem.Classifier.Judgement;
import dev.idem.agent.retry.Failures;
import dev.idem.server.notice.Sent.Fate;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/** Posts a body to one address, once, and follows no redirect. */
final class HttpSender {
    private static final Pattern THIS_HOST = Pattern.compile("(?i)localhost|127(\\.[0-9]{1,3}){3}|\\[::1]");
    private static final Duration LIMIT = Duration.ofSeconds(15);
    private static final int GONE = 410;

    private final URI url;
    private final Duration limit;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    HttpSender(URI url) {
        this(url, LIMIT);
    }

    HttpSender(URI url, Duration limit) {
        this.url = url;
        this.limit = limit;
    }

    /** Checks an address without showing it: it may be a secret. */
    static URI requireUrl(String what, String text) {
        URI url;
        try {
            url = new URI(text.strip());
        } catch (URISyntaxException e) {
            // The cause shows the text.
            throw new IllegalArgumentException("the URL of " + what + " for notices is no URL");
        }
        if (url.getHost() == null || url.getRawUserInfo() != null || url.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "the URL of " + what + " for notices needs a host, and has no user before @ and no #");
        } else if (!"https".equals(url.getScheme())
                && !("http".equals(url.getScheme())
                        && THIS_HOST.matcher(url.getHost()).matches())) {
            throw new IllegalArgumentException("the URL of " + what
                    + " for notices must begin with https:, or with http: on this host; without encryption everybody on the "
                    + "way reads it");
        }
        return url;
    }

    Sent post(Map<String, String> headers, byte[] body) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(url).timeout(limit).POST(HttpRequest.BodyPublishers.ofByteArray(body));
        headers.forEach(request::setHeader);
        CompletableFuture<HttpResponse<Void>> answer =
                client.sendAsync(request.build(), HttpResponse.BodyHandlers.discarding());
        try {
            // The limit of the request ends with the headers; this one covers a body that does not end.
            return meaning(answer.get(limit.toMillis(), TimeUnit.MILLISECONDS).statusCode());
        } catch (ExecutionException e) {
            return failed(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            return Sent.of(Fate.UNKNOWN, "no answer within " + limit.toSeconds() + " s");
        } catch (InterruptedException e) {
            // The server ends. The flag would keep the ledger from writing what is known.
            return Sent.of(Fate.UNKNOWN, "the server ended");
        } finally {
            answer.cancel(true);
        }
    }

    private static Sent meaning(int status) {
        String answered = "it answered " + status;
        return switch (status) {
            case GONE -> Sent.of(Fate.GONE, answered);
            case 408, 425, 429 -> Sent.of(Fate.NOT_SENT, answered);
            default ->
                Sent.of(status / 100 == 2 ? Fate.ARRIVED : status / 100 == 5 ? Fate.UNKNOWN : Fate.REFUSED, answered);
        };
    }

    /** An alert of the receiver proves nothing: with TLS 1.3 it may come when the message was sent. */
    static Sent failed(Throwable why) {
        // A message may have the address in it.
        return Failures.network().judge(why) == Judgement.DEFINITE
                ? Sent.of(Fate.NOT_SENT, "no connection (" + why.getClass().getSimpleName() + ")")
                : Sent.of(Fate.UNKNOWN, "no answer (" + why.getClass().getSimpleName() + ")");
    }
}
