package dev.idem.remote;

import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.LedgerException;
import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import dev.idem.remote.Transport.Reply;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * A server, as the methods that it answers. A request is sent again while the server is busy, and once when its
 * connection broke. It is not sent again when there was no answer in time: the engine does that.
 */
final class Server implements AutoCloseable {
    private static final int OK = 200;
    private static final int REQUEST_TIMEOUT = 408;
    private static final int INTERNAL = 500;
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(500);

    private final RemoteUrl url;
    private final Transport transport;
    private volatile boolean closed;

    Server(RemoteUrl url, Transport transport) {
        this.url = url;
        this.transport = transport;
    }

    static Server at(RemoteUrl url) {
        return new Server(url, url.socket() == null ? new NetworkTransport(url) : new SocketTransport(url));
    }

    /**
     * Asks a method.
     *
     * @param repeatable whether it answers a second copy of a request as the first
     * @param reader makes the value of the answer; throws {@link IllegalArgumentException} if it does not know it
     * @throws LedgerUnavailableException if there is no answer
     * @throws LedgerUnreadableException if the server refuses
     * @throws IllegalArgumentException if it does not take what was asked for
     */
    <T> T ask(String method, Map<String, ?> params, boolean repeatable, Function<Answer, T> reader) {
        byte[] body = Json.writePlain(params).getBytes(StandardCharsets.UTF_8);
        long end = System.nanoTime() + url.timeout().toNanos();
        boolean again = repeatable;
        for (long pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
            requireOpen();
            Reply reply;
            try {
                reply = transport.post(method, body, url.timeout());
            } catch (ConnectException | SocketTimeoutException e) {
                throw silent(e);
            } catch (IOException e) {
                if (!again || isUntrusted(e)) {
                    throw silent(e);
                }
                // The server has ended, or has closed the connection just before it was used again.
                again = false;
                continue;
            }
            if (reply.status() == OK) {
                return read(reply, reader);
            }
            Problem problem = problem(reply);
            if (!problem.code().equals("busy") || System.nanoTime() + pause - end > 0) {
                throw problem.exception();
            }
            LockSupport.parkNanos(pause);
        }
    }

    private <T> T read(Reply reply, Function<Answer, T> reader) {
        try {
            return reader.apply(Answer.parse(reply.body()));
        } catch (JsonException | IllegalArgumentException | ArithmeticException e) {
            throw unavailable(
                    "gave an answer that can't be understood (" + e.getMessage()
                            + "). Whether the step was taken is not known: ask again. Use a server of the same release",
                    e);
        }
    }

    private LedgerException silent(IOException e) {
        if (isUntrusted(e)) {
            return unreadable(
                    "has a certificate that is not trusted (" + e.getMessage()
                            + "). Nothing was sent; name the certificate of its authority with ca=file.pem",
                    e);
        } else if (e instanceof ConnectException) {
            return unavailable(
                    "can't be reached (" + reason(e) + "). Nothing was sent; start idem serve there, or ask again", e);
        }
        return unavailable("gave no answer (" + reason(e) + "). Whether the step was taken is not known: ask again", e);
    }

    /**
     * Whether this side has refused the server's certificate. An alert of the server is another thing: with TLS 1.3 it may
     * come when the request was sent.
     */
    private static boolean isUntrusted(IOException e) {
        Throwable cause = e instanceof SSLHandshakeException ? e.getCause() : null;
        while (cause != null && !(cause instanceof CertificateException)) {
            cause = cause.getCause();
        }
        return cause != null;
    }

    /** The client of the JDK gives some exceptions without a message. */
    private static String reason(Throwable e) {
        String message = e.getMessage();
        return message != null ? message : e.getCause() != null ? reason(e.getCause()) : "no connection";
    }

    private Problem problem(Reply reply) {
        try {
            Answer answer = Answer.parse(reply.body());
            return new Problem(reply.status(), answer.of("code", String.class), answer.of("detail", String.class));
        } catch (JsonException | IllegalArgumentException e) {
            // A proxy has answered.
            return new Problem(
                    reply.status(), "", "the status " + reply.status() + ", which is no answer of idem serve");
        }
    }

    /** An error of the server, or of something in front of it. */
    private final class Problem {
        private final int status;
        private final String code;
        private final String detail;

        Problem(int status, String code, String detail) {
            this.status = status;
            this.code = code;
            this.detail = detail;
        }

        String code() {
            return code;
        }

        RuntimeException exception() {
            String said = "answers: " + detail;
            return switch (code) {
                case "malformed" ->
                    status == REQUEST_TIMEOUT
                            ? unavailable(said, null)
                            : new IllegalArgumentException("ledger " + url + " " + said);
                case "busy" -> unavailable(said, null);
                case "unauthorised" -> unreadable(said + ". Look at the token with idem token ls on the server", null);
                case "forbidden" -> unreadable(said + ". Use a token that allows it", null);
                case "mismatch" ->
                    unreadable(
                            said + ". Open the ledger again if the new one is meant: it knows nothing of earlier calls",
                            null);
                case "unreadable" -> unreadable(said, null);
                default -> status >= INTERNAL ? unavailable(said, null) : unreadable(said, null);
            };
        }
    }

    private void requireOpen() {
        if (closed) {
            throw unavailable("is closed", null);
        }
    }

    LedgerUnavailableException unavailable(String what, @Nullable Throwable cause) {
        return new LedgerUnavailableException("ledger " + url + " " + what, cause);
    }

    LedgerUnreadableException unreadable(String what, @Nullable Throwable cause) {
        return new LedgerUnreadableException("ledger " + url + " " + what, cause);
    }

    /** Its URL without secrets. */
    @Override
    public String toString() {
        return url.toString();
    }

    @Override
    public void close() {
        closed = true;
        transport.close();
    }
}
