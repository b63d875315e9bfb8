package dev.idem.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.server.Access;
import dev.idem.server.Api;
import dev.idem.server.Operations;
import dev.idem.server.TokenFile;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CertificateTest {
    private static final String PASSWORD = "changeit";

    @TempDir
    Path folder;

    /** Makes a certificate with the JDK's own tool. */
    private KeyStore made(String name, String kind) throws Exception {
        Path store = folder.resolve(name + ".p12");
        Process tool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        name,
                        "-keyalg",
                        kind,
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        assertThat(tool.waitFor())
                .as(Files.readString(folder.resolve("keytool.log")))
                .isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        pem(name + ".crt", "CERTIFICATE", keys.getCertificate(name).getEncoded());
        Key key = keys.getKey(name, PASSWORD.toCharArray());
        pem(name + ".key", "PRIVATE KEY", key.getEncoded());
        return keys;
    }

    private void pem(String file, String what, byte[] bytes) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        Files.writeString(
                folder.resolve(file), "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
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
            Files.delete(folder.resolve("own.p12"));
            made("own", "EC");
            certificate.renew(context);
            assertThat(context.getKeyStore().getCertificate("idem")).isNotEqualTo(before);
        } finally {
            context.stop();
        }
    }
}
