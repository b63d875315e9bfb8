package dev.idem.remote;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Reaches a server over TCP, with the client of the JDK. */
final class NetworkTransport implements Transport {
    private final URI base;
    private final String token;
    private final HttpClient client;

    NetworkTransport(RemoteUrl url) {
        this.base = Objects.requireNonNull(url.base());
        this.token = Objects.requireNonNull(url.token());
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(url.timeout());
        if (url.authority() != null) {
            builder.sslContext(trusting(url.authority()));
        }
        this.client = builder.build();
    }

    @Override
    public Reply post(String method, byte[] body, Duration timeout) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(base + "/v1/" + method))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        // The time-out of a request would end with the headers of its answer.
        return whole(client.sendAsync(request, BodyHandlers.ofByteArray()), timeout);
    }

    private static Reply whole(CompletableFuture<HttpResponse<byte[]>> answer, Duration timeout) throws IOException {
        long end = System.nanoTime() + timeout.toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    HttpResponse<byte[]> response = answer.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                    return new Reply(response.statusCode(), response.body());
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException e) {
                    answer.cancel(true);
                    throw new SocketTimeoutException("no answer within " + timeout.toMillis() + " ms");
                } catch (ExecutionException e) {
                    throw lost(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static IOException lost(@Nullable Throwable cause) {
        if (cause instanceof HttpConnectTimeoutException) {
            return (IOException) new ConnectException("no connection in time").initCause(cause);
        } else if (cause instanceof HttpTimeoutException) {
            return (IOException) new SocketTimeoutException(cause.getMessage()).initCause(cause);
        }
        return cause instanceof IOException io ? io : new IOException(cause);
    }

    private static SSLContext trusting(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("ca-" + number++, each);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "ca=" + file + " can't be read as certificates in PEM (" + e.getMessage() + ")", e);
        }
    }

    /** The client of the JDK ends its connections when nothing refers to it any more. */
    @Override
    public void close() {}
}
