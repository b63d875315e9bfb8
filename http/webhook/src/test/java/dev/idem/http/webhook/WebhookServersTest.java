package dev.idem.http.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.idem.Idem;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import dev.idem.testkit.Race;
import dev.idem.testkit.Until;
import dev.idem.testkit.World;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The servlet in Tomcat and the handler in the JDK's server, over real connections. */
class WebhookServersTest {
    private static final SignedCase STRIPE = SignedCase.of("Stripe");
    private static final Logger QUIET = Logger.getLogger("org.apache");

    enum Kind {
        TOMCAT,
        JDK
    }

    @TempDir
    Path folder;

    private final World world = new World();
    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();
    private final HttpClient client = HttpClient.newHttpClient();
    private AutoCloseable server = () -> {};

    @AfterEach
    void stop() throws Exception {
        server.close();
        idem.close();
    }

    @ParameterizedTest
    @EnumSource
    void theSameDeliveryAHundredTimesAtOnceIsHandledOnceAndAcceptedAHundredTimes(Kind kind) throws Exception {
        URI uri = start(kind, endpoint(STRIPE));

        List<Integer> statuses =
                Race.of(100, () -> post(uri, STRIPE.headers(), STRIPE.bytes()).statusCode());

        assertThat(statuses).hasSize(100).containsOnly(200);
        assertThat(world.effects("evt_1")).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void badRequestsGetAClearStatusAndRecordNothing(Kind kind) throws Exception {
        WebhookEndpoint endpoint = endpoint(STRIPE);
        URI uri = start(kind, endpoint);
        byte[] largest = new byte[endpoint.largestBody()];
        byte[] tooLarge = new byte[endpoint.largestBody() + 1];
        Map<String, List<String>> huge = Map.of("Stripe-Signature", List.of("x".repeat(8193)));

        assertThat(post(uri, STRIPE.headers(), largest).statusCode()).isEqualTo(401);
        assertThat(post(uri, STRIPE.headers(), tooLarge).statusCode()).isEqualTo(413);
        assertThat(post(uri, Map.of(), STRIPE.bytes()).statusCode()).isEqualTo(401);
        assertThat(post(uri, STRIPE.headers(), "garbage".getBytes(UTF_8)).statusCode())
                .isEqualTo(401);
        assertThat(post(uri, huge, STRIPE.bytes()).statusCode()).isIn(400, 431);
        HttpResponse<String> got = client.send(HttpRequest.newBuilder(uri).GET().build(), BodyHandlers.ofString());
        assertThat(got.statusCode()).isEqualTo(405);
        assertThat(got.headers().firstValue("Allow")).contains("POST");

        assertThat(world.effects()).isZero();
        assertThat(entries()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aSenderThatSignsThePublicUrlIsCheckedWithTheConfiguredOne(Kind kind) throws Exception {
        SignedCase twilio = SignedCase.of("Twilio");
        WebhookEndpoint endpoint = WebhookEndpoint.of(idem, twilio.verifier(twilio.secret()))
                .publicUrl("https://hooks.example.com/in")
                .respond((event, call) -> WebhookAnswer.ok("text/xml", "<Response>ü</Response>"));
        URI uri = start(kind, endpoint);

        HttpResponse<String> answer = post(URI.create(uri + "?tenant=7"), twilio.headers(), twilio.bytes());

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith("text/xml");
        assertThat(answer.body()).isEqualTo("<Response>ü</Response>");
        assertThat(post(URI.create(uri + "?tenant=8"), twilio.headers(), twilio.bytes())
                        .statusCode())
                .isEqualTo(401);
    }

    @ParameterizedTest
    @EnumSource
    void aFailureIsAnsweredWithRetryAfter(Kind kind) throws Exception {
        idem.close();

        HttpResponse<String> answer = post(start(kind, endpoint(STRIPE)), STRIPE.headers(), STRIPE.bytes());

        assertThat(answer.statusCode()).isGreaterThanOrEqualTo(500);
    }

    /** Without a signature a shorter body would look like an event. */
    @ParameterizedTest
    @EnumSource
    void aClientThatVanishesInTheMiddleRecordsNothing(Kind kind) throws Exception {
        WebhookEndpoint endpoint = WebhookEndpoint.of(idem, Verifier.of(Sender.CLOUD_EVENTS))
                .handle((event, call) -> world.act(event.id()));
        URI uri = start(kind, endpoint);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), uri.getPort())) {
            socket.getOutputStream()
                    .write(("POST /hook HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nce-id: 1\r\n"
                                    + "ce-source: /s\r\nce-type: t\r\nContent-Length: 1000\r\n\r\nthe first half")
                            .getBytes(UTF_8));
            socket.shutdownOutput();
            InputStream in = socket.getInputStream();
            Until.isTrue("the server has given up", () -> ended(in));
        }

        assertThat(post(
                                uri,
                                Map.of("ce-id", List.of("2"), "ce-source", List.of("/s"), "ce-type", List.of("t")),
                                new byte[0])
                        .statusCode())
                .isEqualTo(200);
        assertThat(world.effects()).isEqualTo(1);
        assertThat(entries()).isEqualTo(1);
    }

    @Test
    void aBodyThatDoesNotArriveKeptAThreadOfTheJdksServer() throws Exception {
        HttpServer jdk = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        ExecutorService one = Executors.newSingleThreadExecutor();
        jdk.setExecutor(one);
        jdk.createContext("/hook", new WebhookHttpHandler(endpoint(STRIPE), Duration.ofMillis(100)));
        jdk.start();
        server = () -> {
            jdk.stop(0);
            one.shutdown();
        };
        int port = jdk.getAddress().getPort();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write("POST /hook HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nthe first half"
                            .getBytes(UTF_8));
            socket.setSoTimeout(60_000);
            assertThat(ended(socket.getInputStream())).isTrue();

            assertThat(post(URI.create("http://127.0.0.1:" + port + "/hook"), STRIPE.headers(), STRIPE.bytes())
                            .statusCode())
                    .isEqualTo(200);
        }
        assertThat(world.effects("evt_1")).isEqualTo(1);
    }

    private static boolean ended(InputStream in) {
        try {
            return in.read() < 0;
        } catch (SocketTimeoutException open) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    private WebhookEndpoint endpoint(SignedCase sender) {
        return WebhookEndpoint.of(idem, sender.verifier(sender.secret()))
                .handle((event, call) -> world.act(event.id()));
    }

    private URI start(Kind kind, WebhookEndpoint endpoint) throws Exception {
        int port;
        if (kind == Kind.JDK) {
            HttpServer jdk = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
            ExecutorService threads = Executors.newCachedThreadPool();
            jdk.setExecutor(threads);
            jdk.createContext("/hook", new WebhookHttpHandler(endpoint));
            jdk.start();
            server = () -> {
                jdk.stop(0);
                threads.shutdown();
            };
            port = jdk.getAddress().getPort();
        } else {
            QUIET.setLevel(Level.OFF);
            Tomcat tomcat = new Tomcat();
            tomcat.setBaseDir(folder.toString());
            tomcat.setPort(0);
            tomcat.getConnector().setProperty("address", "127.0.0.1");
            tomcat.getConnector().setProperty("maxHttpRequestHeaderSize", "65536");
            Context context = tomcat.addContext("", folder.toString());
            Tomcat.addServlet(context, "hook", new WebhookServlet(endpoint));
            context.addServletMappingDecoded("/hook", "hook");
            tomcat.start();
            server = () -> {
                tomcat.stop();
                tomcat.destroy();
                System.clearProperty("catalina.home");
            };
            port = tomcat.getConnector().getLocalPort();
        }
        return URI.create("http://127.0.0.1:" + port + "/hook");
    }

    private HttpResponse<String> post(URI uri, Map<String, List<String>> headers, byte[] body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).POST(BodyPublishers.ofByteArray(body));
        headers.forEach((name, values) -> values.forEach(value -> request.header(name, value)));
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private int entries() {
        return idem.ledger()
                .as(Browsable.class)
                .orElseThrow()
                .browse(Query.all())
                .entries()
                .size();
    }
}
