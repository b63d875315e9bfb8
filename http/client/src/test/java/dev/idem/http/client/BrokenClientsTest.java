package dev.idem.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Policy;
import dev.idem.agent.provider.Provider;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The table goes red on clients with the usual mistakes. */
class BrokenClientsTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    /** Tries three times, each time with a new key, as a client that makes the key where it sends does. */
    private static final Surface NEW_KEY_PER_TRY = (idem, provider, retry, uri, key, limit) -> {
        IOException last = new IOException("no try");
        for (int attempt = 1; attempt <= 3; attempt++) {
            try {
                HttpRequest charge = HttpRequest.newBuilder(uri)
                        .timeout(limit)
                        .header(Remote.KEY, UUID.randomUUID().toString())
                        .POST(BodyPublishers.ofString(ClientCases.CHARGE))
                        .build();
                HttpResponse<String> got = HTTP.send(charge, BodyHandlers.ofString());
                if (got.statusCode() < 500) {
                    return new Surface.Got(got.statusCode(), got.body(), false);
                }
            } catch (IOException e) {
                last = e;
            }
        }
        throw last;
    };

    /** Takes every remote for one that knows keys: it sends again after a time-out. */
    private static final Surface SENDS_AGAIN_AFTER_A_TIME_OUT = (idem, provider, retry, uri, key, limit) ->
            ClientSuiteTest.SURFACE.send(idem, Provider.STRIPE, retry, uri, key, limit);

    /** Records any response as the result, whatever came before. */
    private static final Surface RECORDS_EVERY_RESPONSE = (idem, provider, retry, uri, key, limit) -> {
        IdemHttpClient client = IdemHttpClient.of(idem, HTTP)
                .retry(retry)
                .policy(Policy.write())
                .rules(rules -> rules.finalOn(409, 429, 503));
        HttpRequest charge = HttpRequest.newBuilder(uri)
                .timeout(limit)
                .POST(BodyPublishers.ofString(ClientCases.CHARGE))
                .build();
        GuardedResponse<String> got =
                (provider == null ? client : client.provider(provider)).send(charge, BodyHandlers.ofString(), key);
        return new Surface.Got(got.statusCode(), got.body(), got.replayed());
    };

    private static List<String> red(Surface surface) throws Exception {
        List<String> red = new ArrayList<>();
        for (ClientCases.Case one : ClientCases.all()) {
            // A bare client waits for ever for the rest of an answer: its time limit ends with the headers.
            boolean takesItsTime = one.stalls() && (one.knowsKeys() || surface != SENDS_AGAIN_AFTER_A_TIME_OUT);
            if (one.stallsInTheAnswer() || takesItsTime) {
                continue;
            }
            try {
                ClientCases.run(one, surface);
            } catch (AssertionError e) {
                red.add(one.name() + ": " + String.valueOf(e.getMessage()).replaceAll("(?s)\\R.*", ""));
            }
        }
        return red;
    }

    @Test
    void aNewKeyForEachTryIsCaught() throws Exception {
        assertThat(red(NEW_KEY_PER_TRY))
                .anyMatch(line -> line.startsWith("the answer is lost, and the remote knows the key: [effects after"))
                .anyMatch(line -> line.startsWith("409, and the remote knows the key: [keys]"))
                .anyMatch(line -> line.startsWith("the connection is reset: [effects after"));
    }

    @Test
    void aTimeOutThatIsSentAgainIsCaught() throws Exception {
        assertThat(red(SENDS_AGAIN_AFTER_A_TIME_OUT))
                .anyMatch(line -> line.startsWith("the remote stalls: [effects after"))
                .anyMatch(line -> line.startsWith("the answer is lost: [effects after"))
                .anyMatch(line -> line.startsWith("503 after the effect: [effects after"))
                .noneMatch(line -> line.contains("the remote knows the key"));
    }

    @Test
    void aRefusalThatIsRecordedAsTheResultIsCaught() throws Exception {
        assertThat(red(RECORDS_EVERY_RESPONSE))
                .anyMatch(line -> line.startsWith("503: "))
                .anyMatch(line -> line.startsWith("409: "));
    }
}
