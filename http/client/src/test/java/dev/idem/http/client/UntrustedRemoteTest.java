package dev.idem.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.idem.Idem;
import dev.idem.agent.retry.Retry;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;

/** A remote whose certificate this side refuses got no request, so there is no doubt. */
class UntrustedRemoteTest {
    private static final char[] PASSWORD = "for-this-test".toCharArray();

    @TempDir
    Path folder;

    @Test
    void aCertificateThatThisSideRefusedLeftADoubt() throws Exception {
        KeyStore keys = certificateFor("ip:127.0.0.1");
        AtomicInteger effects = new AtomicInteger();
        try (Idem idem = Idem.builder().ledger("memory:").quiet().open()) {
            HttpsServer server = serve(keys, effects);
            try {
                RecordedTiming timing = new RecordedTiming();
                Retry retry = Retry.standard().timing(timing).random(() -> 0);
                URI localhost = address(server, "localhost");
                URI address = address(server, "127.0.0.1");
                HttpClient trusting =
                        HttpClient.newBuilder().sslContext(context(keys)).build();
                IdemHttpClient strangers =
                        IdemHttpClient.of(idem, HttpClient.newHttpClient()).retry(retry);
                IdemHttpClient friends = IdemHttpClient.of(idem, trusting).retry(retry);

                assertThatThrownBy(() -> send(strangers, address)).as("PKIX").isInstanceOf(IOException.class);
                assertThatThrownBy(() -> send(friends, localhost)).as("name").isInstanceOf(IOException.class);
                assertThatThrownBy(() -> spring(idem, address))
                        .as("HttpURLConnection")
                        .isInstanceOf(ResourceAccessException.class);
                assertThat(timing.slept)
                        .as("certificates do not mend themselves")
                        .isEmpty();
                assertThat(effects.get()).isZero();

                assertThat(send(friends, address)).isEqualTo(201);
                assertThat(send(strangers, address)).as("a replay").isEqualTo(201);
                assertThatThrownBy(() -> send(friends, localhost)).isInstanceOf(IOException.class);
                assertThat(effects.get()).isEqualTo(1);
            } finally {
                server.stop(0);
            }
        }
    }

    private static URI address(HttpsServer server, String host) {
        return URI.create("https://" + host + ":" + server.getAddress().getPort() + "/charges");
    }

    private static int send(IdemHttpClient client, URI uri) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri)
                .POST(BodyPublishers.ofString(ClientCases.CHARGE))
                .build();
        return client.send(request, BodyHandlers.ofString(), "order-7").statusCode();
    }

    private static void spring(Idem idem, URI uri) {
        RestClient.builder()
                .requestFactory(new SimpleClientHttpRequestFactory())
                .requestInterceptor(IdemRequestInterceptor.of(idem))
                .build()
                .post()
                .uri(uri)
                .attributes(IdemRequestInterceptor.key("order-8"))
                .body(ClientCases.CHARGE)
                .retrieve()
                .toBodilessEntity();
    }

    private static HttpsServer serve(KeyStore keys, AtomicInteger effects)
            throws IOException, GeneralSecurityException {
        HttpsServer server = HttpsServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context(keys)));
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                effects.incrementAndGet();
                exchange.sendResponseHeaders(201, -1);
            }
        });
        server.start();
        return server;
    }

    private static SSLContext context(KeyStore keys) throws GeneralSecurityException {
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD);
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(keys);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }

    private KeyStore certificateFor(String name) throws Exception {
        Path store = folder.resolve("store.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=remote",
                        "-ext",
                        "SAN=" + name,
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        KeyStore both = KeyStore.getInstance("PKCS12");
        both.load(null, null);
        both.setKeyEntry("own", keys.getKey("mykey", PASSWORD), PASSWORD, keys.getCertificateChain("mykey"));
        both.setCertificateEntry("trusted", keys.getCertificate("mykey"));
        return both;
    }
}
