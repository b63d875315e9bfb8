package dev.idem.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.InDoubtException;
import dev.idem.ResultUnavailableException;
import dev.idem.State;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.client.BufferingClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;

/** A response that is not as long as it says is no proof of anything. One that may differ is taken as it is. */
class CutResponseTest {
    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();

    @AfterEach
    void close() {
        idem.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 5})
    void aResponseOverHttp2WithAWrongLengthWasRecordedAsComplete(int announced) throws Exception {
        try (Http2Remote remote = new Http2Remote(announced, "0123456789")) {
            IdemHttpClient client = IdemHttpClient.of(idem, HttpClient.newHttpClient());
            HttpRequest request = HttpRequest.newBuilder(remote.uri())
                    .POST(BodyPublishers.ofString(ClientCases.CHARGE))
                    .build();

            assertThatThrownBy(() -> client.send(request, BodyHandlers.ofString(), "order-7"))
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(() -> client.send(request, BodyHandlers.ofString(), "order-7"))
                    .isInstanceOf(InDoubtException.class);
            assertThat(remote.requests.get()).isEqualTo(1);
        }
    }

    @Test
    void anHonestResponseOverHttp2IsComplete() throws Exception {
        try (Http2Remote remote = new Http2Remote(10, "0123456789")) {
            GuardedResponse<String> response = IdemHttpClient.of(idem, HttpClient.newHttpClient())
                    .send(
                            HttpRequest.newBuilder(remote.uri())
                                    .POST(BodyPublishers.ofString(ClientCases.CHARGE))
                                    .build(),
                            BodyHandlers.ofString(),
                            "order-7");

            assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(response.body()).isEqualTo("0123456789");
        }
    }

    @Test
    void aResponseOverHttp2WithAWrongLengthWasRecordedAsCompleteBySpring() throws Exception {
        try (Http2Remote remote = new Http2Remote(100, "0123456789")) {
            RestClient client = RestClient.builder()
                    .requestFactory(new JdkClientHttpRequestFactory())
                    .requestInterceptor(IdemRequestInterceptor.of(idem))
                    .build();

            assertThatThrownBy(() -> post(client, remote)).isInstanceOf(ResourceAccessException.class);
            assertThatThrownBy(() -> post(client, remote)).isInstanceOf(InDoubtException.class);
            assertThat(remote.requests.get()).isEqualTo(1);
        }
    }

    private static void post(RestClient client, Http2Remote remote) {
        client.post()
                .uri(remote.uri())
                .attributes(IdemRequestInterceptor.key("order-7"))
                .body(ClientCases.CHARGE)
                .retrieve()
                .toEntity(String.class);
    }

    private interface Post {
        void send(Remote remote) throws Exception;
    }

    private Post spring(ClientHttpRequestFactory factory) {
        RestClient client = RestClient.builder()
                .requestFactory(factory)
                .requestInterceptor(IdemRequestInterceptor.of(idem))
                .build();
        return remote -> client.post()
                .uri(remote.uri())
                .attributes(IdemRequestInterceptor.key("order-7"))
                .body(ClientCases.CHARGE)
                .retrieve()
                .toEntity(String.class);
    }

    private Post jdk() {
        IdemHttpClient client = IdemHttpClient.of(idem, HttpClient.newHttpClient());
        return remote -> client.send(
                HttpRequest.newBuilder(remote.uri())
                        .POST(BodyPublishers.ofString(ClientCases.CHARGE))
                        .build(),
                BodyHandlers.ofString(),
                "order-7");
    }

    /** {@code HttpURLConnection} takes the end of the connection for the end of the headers. */
    @ParameterizedTest
    @ValueSource(strings = {"simple", "simple, buffered", "jdk of Spring", "jdk"})
    void aResponseThatWasCutInsideItsHeadersWasRecordedAsComplete(String kind) throws Exception {
        Post post = switch (kind) {
            case "simple" -> spring(new SimpleClientHttpRequestFactory());
            case "simple, buffered" ->
                spring(new BufferingClientHttpRequestFactory(new SimpleClientHttpRequestFactory()));
            case "jdk of Spring" -> spring(new JdkClientHttpRequestFactory());
            default -> jdk();
        };
        String whole = "HTTP/1.1 201 Created\r\nX-Request: a\r\nContent-Length: 12\r\n\r\n{\"id\":\"ch1\"}";
        for (int cut = 0; cut < whole.length(); cut++) {
            String part = whole.substring(0, cut);
            try (Remote remote = new Remote(false, (self, seen, socket) -> {
                self.act(seen);
                Remote.send(socket, part);
            })) {
                assertThatThrownBy(() -> post.send(remote))
                        .as("after '%s'", part)
                        .isInstanceOf(Exception.class);
                assertThatThrownBy(() -> post.send(remote))
                        .as("after '%s'", part)
                        .isInstanceOf(InDoubtException.class);
                assertThat(remote.effects.get()).isEqualTo(1);
                idem.forget(entry(remote));
            }
        }
    }

    private Entry entry(Remote remote) {
        String host = "127.0.0.1:" + remote.uri().getPort();
        return idem.find(new Address("http-client:" + host, "POST " + host + "/charges", "order-7"))
                .orElseThrow();
    }

    /** These have an end of their own, or a status without a body. */
    @Test
    void anEmptyResponseWithAnEndIsComplete() throws Exception {
        for (String head : List.of(
                "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 204 No Content\r\n\r\n")) {
            try (Remote remote = new Remote(false, (self, seen, socket) -> {
                self.act(seen);
                Remote.send(socket, head);
            })) {
                spring(new SimpleClientHttpRequestFactory()).send(remote);
                assertThat(entry(remote).state()).as(head).isEqualTo(State.COMPLETE);
            }
        }
    }

    /** Spring reads as many bytes as the header says, and a replay has no such header. */
    @ParameterizedTest
    @ValueSource(strings = {"", "Content-Encoding: br\r\n"})
    void aBodyThatIsLongerThanItsLengthWasReplayedWithMoreBytes(String header) throws Exception {
        try (Remote remote = new Remote(false, (self, seen, socket) -> {
            self.act(seen);
            Remote.send(
                    socket,
                    "HTTP/1.1 201 Created\r\nConnection: close\r\n" + header + "Content-Length: 5\r\n\r\n0123456789");
        })) {
            RestClient client = RestClient.builder()
                    .requestFactory(new SimpleClientHttpRequestFactory())
                    .requestInterceptor(IdemRequestInterceptor.of(idem))
                    .build();
            List<String> read = new ArrayList<>();
            for (int call = 1; call <= 2; call++) {
                read.add(client.post()
                        .uri(remote.uri())
                        .attributes(IdemRequestInterceptor.key("order-7"))
                        .body(ClientCases.CHARGE)
                        .retrieve()
                        .body(String.class));
            }
            assertThat(read).containsExactly("0123456789", "0123456789");
            assertThat(remote.effects.get()).isEqualTo(1);
        }
    }

    /** A client may have decoded the body, and some responses have a length and no body. */
    @Test
    void aResponseWhoseLengthSaysNothingIsComplete() throws Exception {
        for (String head : List.of(
                "HTTP/1.1 204 No Content\r\nContent-Length: 100",
                "HTTP/1.1 201 Created\r\nContent-Encoding: br\r\nContent-Length: 3",
                "HTTP/1.1 201 Created")) {
            try (Remote remote = new Remote(false, (self, seen, socket) -> {
                self.act(seen);
                Remote.send(socket, head + "\r\nConnection: close\r\n\r\n" + (head.contains("204") ? "" : "abc"));
            })) {
                RestClient client = RestClient.builder()
                        .requestFactory(new SimpleClientHttpRequestFactory())
                        .requestInterceptor(IdemRequestInterceptor.of(idem))
                        .build();

                int status = client.post()
                        .uri(remote.uri())
                        .attributes(IdemRequestInterceptor.key(head))
                        .body(ClientCases.CHARGE)
                        .retrieve()
                        .toBodilessEntity()
                        .getStatusCode()
                        .value();

                assertThat(status).isEqualTo(head.contains("204") ? 204 : 201);
            }
        }
    }

    @Test
    void aResponseWithoutAnEndFilledTheMemory() throws Exception {
        AtomicLong sent = new AtomicLong();
        Remote.Step endless = (self, seen, socket) -> {
            self.act(seen);
            Remote.send(socket, "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n");
            while (sent.addAndGet(0x4000) < 50_000_000) {
                Remote.send(socket, "4000\r\n" + "x".repeat(0x4000) + "\r\n");
            }
        };
        try (Remote remote = new Remote(false, endless, endless)) {
            HttpRequest request = HttpRequest.newBuilder(remote.uri())
                    .POST(BodyPublishers.ofString(ClientCases.CHARGE))
                    .build();
            IdemHttpClient client =
                    IdemHttpClient.of(idem, HttpClient.newHttpClient()).largestResponse(2_000_000);
            RestClient spring = RestClient.builder()
                    .requestFactory(new SimpleClientHttpRequestFactory())
                    .requestInterceptor(IdemRequestInterceptor.of(idem).largestResponse(2_000_000))
                    .build();

            for (int call = 1; call <= 2; call++) {
                assertThatThrownBy(() -> client.send(request, BodyHandlers.ofString(), "order-7"))
                        .isInstanceOf(ResultUnavailableException.class)
                        .hasMessageContaining("(201)");
                assertThatThrownBy(() -> spring.post()
                                .uri(remote.uri())
                                .attributes(IdemRequestInterceptor.key("order-8"))
                                .body(ClientCases.CHARGE)
                                .retrieve()
                                .toBodilessEntity())
                        .isInstanceOf(ResultUnavailableException.class)
                        .hasMessageContaining("(201)");
            }
            assertThat(remote.effects.get()).isEqualTo(2);
            assertThat(sent.get()).as("bytes that somebody read").isLessThan(50_000_000);
        }
    }
}
