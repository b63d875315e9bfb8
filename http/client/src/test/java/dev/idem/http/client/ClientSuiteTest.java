package dev.idem.http.client;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The client of the JDK passes the table. */
class ClientSuiteTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    static final Surface SURFACE = (idem, provider, retry, uri, key, limit) -> {
        IdemHttpClient client = IdemHttpClient.of(idem, HTTP).retry(retry);
        HttpRequest charge = HttpRequest.newBuilder(uri)
                .timeout(limit)
                .POST(BodyPublishers.ofString(ClientCases.CHARGE))
                .build();
        GuardedResponse<String> got =
                (provider == null ? client : client.provider(provider)).send(charge, BodyHandlers.ofString(), key);
        return new Surface.Got(got.statusCode(), got.body(), got.replayed());
    };

    static List<ClientCases.Case> cases() {
        return ClientCases.all();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void theClientOfTheJdk(ClientCases.Case one) throws Exception {
        ClientCases.run(one, SURFACE);
    }
}
