package dev.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.http.HttpGuard;
import dev.idem.http.HttpRules;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.apache.catalina.connector.Connector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One path in several spellings, with the routes that the filter has by itself. */
class PathSpellingsTest {
    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();
    private final Handlers handlers = new Handlers();
    private final HttpClient client = HttpClient.newHttpClient();
    private Container container;

    @AfterEach
    void close() {
        container.close();
        idem.close();
    }

    private void start(Server server) throws Exception {
        container = server.start(new IdemFilter(new HttpGuard(idem, HttpRules.ietf())), handlers);
    }

    private HttpResponse<String> post(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + container.port() + path))
                .header("Idempotency-Key", "k-1")
                .header("X-Caller", "ann")
                .POST(BodyPublishers.ofString("tea"))
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void anotherSpellingOfAPathRunsNothingAgain(Server server) throws Exception {
        start(server);
        assertThat(post("/size").body()).isEqualTo("1 3");

        for (String spelling : List.of("/%73ize", "/x/../size", "/./size")) {
            HttpResponse<String> again = post(spelling);

            assertThat(again.body()).as(spelling).isEqualTo("1 3");
            assertThat(again.headers().firstValue("Idempotent-Replayed")).hasValue("true");
        }
        // Jetty refuses it.
        assertThat(post("//size").statusCode()).isIn(200, 400);
        // The handler can see it, so it may be another request; but it is one under the same key.
        assertThat(post("/size;v=1").body()).contains("key-reused");
        assertThat(handlers.runs).hasValue(1);
        assertThat(idem.find(new Address("http:ann", "POST /size", "k-1"))).isPresent();
    }

    /** The semicolon of the first begins a parameter, that of the second is a part of the name. */
    @Test
    void aDecodedPathIsNotTakenForAnotherOneAsItWasSent() throws Exception {
        IdemFilter oneRoute = new IdemFilter(new HttpGuard(idem, HttpRules.ietf())).route(request -> "/all");
        container = Server.TOMCAT.start(oneRoute, handlers);
        post("/size;v=1");

        assertThat(post("/size%3Bv=1").body()).contains("key-reused");
    }

    /** As on Express and FastAPI, so that they have one entry for one request. */
    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void aLetterThatIsNotAsciiStaysEncodedInTheOperation(Server server) throws Exception {
        start(server);
        post("/Zo%c3%ab/a%20b/%5B1%5D");

        assertThat(idem.find(new Address("http:ann", "POST /Zo%C3%AB/a%20b/[1]", "k-1")))
                .isPresent();
    }

    @Test
    void aPathThatCouldBeReadInTwoWaysIsRefused() throws Exception {
        start(Server.TOMCAT);
        Connector connector = ((TomcatContainer) container).tomcat().getConnector();
        connector.setEncodedSolidusHandling("decode");
        connector.setEncodedReverseSolidusHandling("decode");
        connector.setAllowBackslash(true);

        for (String path : List.of("/size%2Fof", "/size%2fof", "/size%5Cof", "/size%5cof")) {
            HttpResponse<String> refused = post(path);

            assertThat(refused.statusCode()).as(path).isEqualTo(400);
            assertThat(refused.body()).as(path).contains("urn:idem:problem:path-ambiguous");
        }
        assertThat(handlers.runs).hasValue(0);
    }
}
