package dev.idem.server.notice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.server.notice.Sent.Fate;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** What an error tells of a message. */
class HttpSenderTest {
    @Test
    void onlyAConnectionThatWasNotMadeHasSentNothing() {
        IOException untrusted = new SSLHandshakeException("PKIX path building failed");
        untrusted.initCause(new CertificateException("no path"));
        for (IOException unsent :
                new IOException[] {untrusted, new ConnectException(), new HttpConnectTimeoutException("no answer")}) {
            assertThat(HttpSender.failed(unsent).fate()).as(unsent.toString()).isEqualTo(Fate.NOT_SENT);
        }
        IOException alert = new SSLHandshakeException("Received fatal alert: bad_certificate");
        for (IOException lost : new IOException[] {alert, new IOException("connection reset")}) {
            assertThat(HttpSender.failed(lost).fate()).as(lost.toString()).isEqualTo(Fate.UNKNOWN);
        }
    }
}
