package dev.idem.mcp.guard;

import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A tool call that a host waits for. It loses its host when the host cancels it; the call itself goes on. */
public class HostCall {
    private final Message request;
    private final Turns.Turn turn;
    private volatile Message forServer;
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private boolean sent;
    private boolean attached = true;
    private double lastSign = Double.NEGATIVE_INFINITY;
    private boolean serverReports;

    public HostCall(Message request, Turns.Turn turn) {
        this.request = request;
        this.forServer = request;
        this.turn = turn;
    }

    /** A call that may be sent before those that were read before it. */
    public static HostCall outOfTurn(Message request) {
        return new HostCall(request, Turns.outOfTurn());
    }

    /** Another request that is sent for the sake of this one. The host does not see it. */
    public HostCall aside(Message other) {
        return outOfTurn(other);
    }

    /** A digest of what the host is known by at the server; empty where nothing tells hosts apart. */
    public Optional<String> credential() {
        return Optional.empty();
    }

    /** What a server may choose the list of its tools by. Hosts that are told apart may see different lists. */
    public String audience() {
        return "";
    }

    /** A key that the host gave beside the message. */
    public Optional<String> keyBeside() {
        return Optional.empty();
    }

    public Turns.Turn turn() {
        return turn;
    }

    public Message request() {
        return request;
    }

    /** The request for the server: all members except those for the guard. */
    Message forServer() {
        return forServer;
    }

    /** The server is to get these bytes of the request. */
    void sendInstead(byte[] bytes) {
        try {
            forServer = Message.ofHost(bytes);
        } catch (Message.Malformed e) {
            throw new IllegalStateException("a part of a request is one too", e);
        }
    }

    /** The program of the host; null where it has not presented itself. */
    @Nullable
    public Client client() {
        return Client.of(request.meta(Message.META + "clientCapabilities"), request.meta(Message.META + "clientInfo"));
    }

    /** Sends a message to the host that comes before the answer, and tells whether the host could be reached. */
    public boolean toHost(byte[] message) {
        return false;
    }

    /** The call is about to be sent to the server. */
    synchronized void markSent() {
        sent = true;
    }

    synchronized boolean wasSent() {
        return sent;
    }

    public synchronized void detach() {
        attached = false;
    }

    public synchronized boolean isAttached() {
        return attached;
    }

    /** The JSON text of the host's progress token; null where it gave none. */
    @Nullable
    String token() {
        return request.meta("progressToken") == null ? null : request.text("params", "_meta", "progressToken");
    }

    /** Whether to pass on what the server reports. It must be more than the last sign of life: values only grow. */
    synchronized boolean reports(double value) {
        serverReports = true;
        return attached && value > lastSign;
    }

    /** A sign of life, with a value smaller than what servers report; null where none is to be sent. */
    public synchronized byte @Nullable [] sign() {
        String token = token();
        if (token == null || !attached || serverReports) {
            return null;
        }
        lastSign = Math.max(lastSign, 0) + 0.0001;
        return McpAnswers.progress(token, String.format(Locale.ROOT, "%.4f", lastSign));
    }

    /** The call has its answer. */
    public void over() {
        over.complete(null);
    }

    /** Is complete when the call has its answer. */
    public CompletableFuture<Void> whenOver() {
        return over;
    }
}
