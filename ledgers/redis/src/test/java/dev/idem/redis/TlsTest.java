package dev.idem.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.LedgerUnavailableException;
import dev.idem.lab.RedisProcess;
import dev.idem.spi.Awaitable;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code rediss://} speaks TLS, and only to a server whose certificate it can check. */
class TlsTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    static Path folder;

    private static RedisProcess redis;

    @BeforeAll
    static void start() throws Exception {
        Path binary = RedisBinary.ofSystem();
        makeCertificate();
        int port = RedisProcess.freePort();
        redis = RedisProcess.start(
                binary,
                folder,
                "--tls-port",
                Integer.toString(port),
                "--tls-cert-file",
                file("cert.pem"),
                "--tls-key-file",
                file("key.pem"),
                "--tls-ca-cert-file",
                file("cert.pem"),
                "--tls-auth-clients",
                "no");
        tlsPort = port;
    }

    private static int tlsPort;

    @AfterAll
    static void stop() {
        if (redis != null) {
            redis.close();
        }
    }

    @Test
    void aTrustedServerIsSpokenTo() {
        try (Ledger ledger = Ledgers.open("rediss://127.0.0.1:" + tlsPort + "?ca=" + file("cert.pem"))) {
            var ticket = Fixtures.take(ledger, "k");
            try (Awaitable.Watch watch =
                    ledger.as(Awaitable.class).orElseThrow().watch(ticket.address(), () -> {})) {
                assertThat(watch).isNotNull();
            }
            ledger.settle(ticket, Fixtures.completed("1"));
            assertThat(ledger.describe()).startsWith("rediss://127.0.0.1:");
        }
    }

    @Test
    void aServerThatNobodyVouchesForIsNot() {
        assertThatThrownBy(() -> Ledgers.open("rediss://127.0.0.1:" + tlsPort).close())
                .isInstanceOf(LedgerUnavailableException.class)
                .hasStackTraceContaining("certification path");
    }

    @Test
    void aServerOfAnotherNameIsNot() {
        assertThatThrownBy(() -> Ledgers.open("rediss://localhost:" + tlsPort + "?ca=" + file("cert.pem"))
                        .close())
                .isInstanceOf(LedgerUnavailableException.class)
                .hasStackTraceContaining("localhost");
    }

    private static String file(String name) {
        return folder.resolve(name).toString();
    }

    /** For 127.0.0.1 alone. */
    private static void makeCertificate() throws IOException, InterruptedException, GeneralSecurityException {
        Path store = folder.resolve("store.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "redis",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=redis",
                        "-ext",
                        "SAN=ip:127.0.0.1",
                        "-validity",
                        "3650",
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
        assertThat(keytool.exitValue()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        pem("cert.pem", "CERTIFICATE", keys.getCertificate("redis").getEncoded());
        pem("key.pem", "PRIVATE KEY", keys.getKey("redis", PASSWORD).getEncoded());
    }

    private static void pem(String name, String kind, byte[] der) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        Files.writeString(
                folder.resolve(name), "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }
}
