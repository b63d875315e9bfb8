package dev.idem.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.lab.SelfSigned;
import dev.idem.server.Access;
import dev.idem.server.Api;
import dev.idem.server.Operations;
import dev.idem.server.TokenFile;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CertificateTest {
    @TempDir
    Path folder;

    private KeyStore made(String name, String kind) {
        return SelfSigned.make(folder, name, kind);
    }

    private Certificate certificate(String chain, String key) {
        return new Certificate(folder.resolve(chain), folder.resolve(key));
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC"})
    void aClientThatTrustsItIsServed(String kind) throws Exception {
        KeyStore trusted = made("own", kind);
        TokenFile tokens = new TokenFile(folder.resolve("tokens.json"), Host.system());
        String secret = tokens.add("ci", Access.of(List.of("read"), List.of("*")), null);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        KeyStore roots = KeyStore.getInstance("PKCS12");
        roots.load(null, null);
        roots.setCertificateEntry("own", trusted.getCertificate("own"));
        trust.init(roots);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        try (Ledger ledger = Ledgers.open("memory:");
                Api api = new Api(ledger, "memory:", Host.system(), "1");
                NetworkCarrier carrier = NetworkCarrier.start(
                        api,
                        new NetworkCarrier.Place("127.0.0.1", 0, certificate("own.crt", "own.key"), null),
                        tokens,
                        Operations.NONE,
                        Host.system())) {
            HttpResponse<String> answer = HttpClient.newBuilder()
                    .sslContext(context)
                    .build()
                    .send(
                            HttpRequest.newBuilder(URI.create(carrier.url() + "/v1/hello"))
                                    .header("Content-Type", "application/json")
                                    .header("Authorization", "Bearer " + secret)
                                    .POST(HttpRequest.BodyPublishers.ofString("{}"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(carrier.url()).hasToString("https://127.0.0.1:" + carrier.port());
        }
    }

    @Test
    void whatIsNoneIsTold() throws Exception {
        made("own", "EC");
        made("other", "EC");
        Files.writeString(folder.resolve("empty"), "");
        assertThatThrownBy(() -> certificate("own.crt", "other.key").context())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is not the key of the certificate");
        assertThatThrownBy(() -> certificate("own.crt", "own.crt").context()).hasMessageContaining("openssl pkcs8");
        assertThatThrownBy(() -> certificate("empty", "own.key").context()).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> certificate("own.key", "own.key").context()).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> certificate("nothing", "own.key").context()).isInstanceOf(IOException.class);
    }

    /** Certificates of some issuers last for days. */
    @Test
    void aNewOneIsTaken() throws Exception {
        made("own", "EC");
        Certificate certificate = certificate("own.crt", "own.key");
        var context = certificate.context();
        context.start();
        try {
            var before = context.getKeyStore().getCertificate("idem");
            made("own", "EC");
            certificate.renew(context);
            assertThat(context.getKeyStore().getCertificate("idem")).isNotEqualTo(before);
        } finally {
            context.stop();
        }
    }
}
