package dev.idem.mcp.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.security.cert.CertificateException;
import java.util.Map;
import java.util.stream.IntStream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** What proves that no tool has run. */
class NothingRanTest {
    /** With TLS 1.3, a client sends its request before it learns that the server refuses the client's certificate. */
    @Test
    void anAlertOfTheServerDoesNotProveIt() {
        assertThat(HttpUpstream.neverSent(new SSLHandshakeException("Received fatal alert: bad_certificate")))
                .isFalse();
        assertThat(HttpUpstream.neverSent(new IOException("connection reset"))).isFalse();
    }

    @Test
    void aCertificateThatThisSideRefusedDoes() {
        IOException untrusted = new SSLHandshakeException("PKIX path building failed");
        untrusted.initCause(new CertificateException("no path"));

        assertThat(HttpUpstream.neverSent(untrusted)).isTrue();
        assertThat(HttpUpstream.neverSent(new ConnectException())).isTrue();
        assertThat(HttpUpstream.neverSent(new HttpConnectTimeoutException("no answer")))
                .isTrue();
    }

    /** 406 is about the form of a response, which may be chosen after the tool has run. */
    @Test
    void onlyStatusesThatRefuseTheRequestDo() {
        HttpHeaders none = HttpHeaders.passedOf(Map.of());

        assertThat(IntStream.range(100, 600)
                        .filter(status -> new HttpRefusal(status, none, new byte[0]).saysNothingRan()))
                .containsExactly(400, 401, 403, 404, 405, 411, 413, 414, 415, 421, 429, 431);
    }
}
