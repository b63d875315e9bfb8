package dev.idem.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import dev.idem.lab.SelfSigned;
import dev.idem.server.Access;
import dev.idem.server.http.Certificate;
import dev.idem.spi.AttemptId;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.spi.Owner;
import java.nio.file.Path;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server whose certificate only its own file vouches for. */
class RemoteTlsTest {
    @TempDir
    Path folder;

    private TestServer server;
    private String token;

    @BeforeEach
    void open() {
        SelfSigned.make(folder, "own", "EC");
        start();
    }

    private void start() {
        server = TestServer.overTls(
                Ledgers.open("memory:"),
                TestServer.folder(folder),
                new Certificate(folder.resolve("own.crt"), folder.resolve("own.key")));
        token = server.token("ci", Access.ALL);
    }

    @AfterEach
    void close() {
        server.close();
    }

    private String charged(String url, String options) {
        try (Idem idem = Idem.builder()
                .ledger(TestServer.open(url, token, options))
                .quiet()
                .open()) {
            return idem.operation("charge").key("k").returning(String.class).run(call -> call.key());
        }
    }

    @Test
    void itIsTrustedWithItsFile() {
        assertThat(server.url()).startsWith("https://");
        assertThat(charged(server.url(), "&ca=" + folder.resolve("own.crt"))).isEqualTo("k");
    }

    @Test
    void itIsNotTrustedWithoutItsFile() {
        assertThatThrownBy(() -> charged(server.url(), ""))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("ca=file.pem")
                .hasMessageNotContaining(token);
    }

    @Test
    void theFileOfAnotherVouchesForNothing() {
        SelfSigned.make(folder, "other", "EC");
        assertThatThrownBy(() -> charged(server.url(), "&ca=" + folder.resolve("other.crt")))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("is not trusted");
    }

    @Test
    void aCertificateOfAnotherHostIsNotTrusted() {
        server.close();
        SelfSigned.make(folder, "own", "EC", "dns:elsewhere.example");
        start();
        assertThatThrownBy(() -> charged(server.url(), "&ca=" + folder.resolve("own.crt")))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("is not trusted");
    }

    /** With TLS 1.3 a client sends its request before it learns that the server refuses it. */
    @Test
    void anAlertOfTheServerDoesNotSayThatNothingWasSent() throws Exception {
        try (AlertingServer alerting = new AlertingServer(SelfSigned.make(folder, "own", "EC"), "changeit");
                Ledger ledger = TestServer.open(alerting.url(), "s3cret", "&ca=" + folder.resolve("own.crt"))) {
            ClaimRequest request = ClaimRequest.of(
                    new AttemptId(7, 1), new Address("shop", "charge", "k"), Fingerprints.NONE, Owner.named("ann"));
            assertThatThrownBy(() -> ledger.claim(request))
                    .isInstanceOf(LedgerUnavailableException.class)
                    .hasMessageContaining("Whether the step was taken is not known")
                    .hasCauseInstanceOf(SSLHandshakeException.class);
            assertThat(alerting.alerts()).isPositive();
        }
    }

    @Test
    void aFileThatIsNoneIsTold() {
        String key = folder.resolve("own.key").toString();
        assertThatThrownBy(() -> charged(server.url(), "&ca=" + key))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ca=" + key);
        assertThatThrownBy(() -> charged(server.url(), "&ca=" + folder.resolve("none")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
