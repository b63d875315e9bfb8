package dev.idem.mcp;

import dev.idem.Idem;
import dev.idem.NotExecutedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Stands between a host and a server that speak MCP through stdin and stdout. Tool calls go through the guard; every other
 * message passes as its own bytes.
 *
 * <pre>{@code
 * int exit = new StdioProxy(idem, McpOptions.of("mail"), List.of("node", "mail.js")).run(System.in, System.out);
 * }</pre>
 */
public final class StdioProxy {
    private static final System.Logger LOG = System.getLogger("dev.idem.mcp");
    private static final int LONGEST_LINE = 64 * 1024 * 1024;
    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(20);
    private static final Duration LONGEST_OPENING = Duration.ofSeconds(60);

    private final McpOptions options;
    private final ServerProcess server;
    private final Duration signOfLife;
    private final KnownTools tools = new KnownTools();
    private final Opening opening = new Opening();
    private final Turns turns = new Turns();
    private final McpGuard guard;
    private final OwnTools own;

    /** The names of requests that this proxy sent by itself, or under another id. */
    private final String prefix =
            "idem-" + Long.toHexString(ThreadLocalRandom.current().nextLong()) + "-";

    private final AtomicLong number = new AtomicLong();
    private final Map<String, Sent> sent = new ConcurrentHashMap<>();
    /** Requests of the host that passed, by their ids. The server still has to answer them. */
    private final Map<String, Message> passed = new ConcurrentHashMap<>();

    /** Requests of the server that the host still has to answer. */
    private final Map<String, Message> asked = new ConcurrentHashMap<>();

    private final Map<String, HostCall> calls = new ConcurrentHashMap<>();
    private final Set<HostCall> running = ConcurrentHashMap.newKeySet();
    private final ExecutorService workers = Executors.newCachedThreadPool(StdioProxy::daemon);
    private final ReentrantLock writing = new ReentrantLock();
    private final CompletableFuture<Integer> over = new CompletableFuture<>();
    private volatile @Nullable OutputStream host;

    private record Sent(CompletableFuture<Message> response, HostCall from) {}

    /** A proxy in front of the server that this command starts. */
    public StdioProxy(Idem idem, McpOptions options, List<String> command) {
        this(idem, options, command, SIGN_OF_LIFE);
    }

    StdioProxy(Idem idem, McpOptions options, List<String> command, Duration signOfLife) {
        this.options = options;
        this.signOfLife = signOfLife;
        this.server = new ServerProcess(command, options.restarts(), new FromServer());
        this.guard = new McpGuard(idem, options, tools, this::send);
        this.own = new OwnTools(idem, guard);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "idem-mcp");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Passes messages until the host or the server is gone. When the host is gone, calls that still run are waited for,
     * so that their results are kept.
     *
     * @return the exit code: 0 when the host has ended the conversation
     * @throws IOException if the server can't be started
     */
    public int run(InputStream in, OutputStream out) throws IOException {
        host = out;
        server.start();
        ScheduledExecutorService signs = Executors.newSingleThreadScheduledExecutor(StdioProxy::daemon);
        var unused = signs.scheduleAtFixedRate(
                this::giveSigns, signOfLife.toNanos(), signOfLife.toNanos(), TimeUnit.NANOSECONDS);
        Thread reader = daemon(() -> readHost(new Lines(in, LONGEST_LINE)));
        reader.start();
        try {
            return over.join();
        } finally {
            signs.shutdownNow();
            server.close();
            workers.shutdown();
        }
    }

    /** Ends the conversation: calls that run are waited for, but not longer than this. */
    public void end(Duration longest) {
        host = null;
        List.copyOf(asked.values()).forEach(this::answerForHost);
        awaitCalls(longest);
        over.complete(0);
    }

    private void awaitCalls(Duration longest) {
        long until = System.nanoTime() + longest.toNanos();
        while (!running.isEmpty() && System.nanoTime() < until) {
            try {
                TimeUnit.MILLISECONDS.sleep(5);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    @SuppressWarnings("CatchingUnchecked") // whatever goes wrong, the calls that run are to end well
    private void readHost(Lines lines) {
        try {
            boolean more = true;
            while (more) {
                more = readLine(lines);
            }
        } catch (IOException | RuntimeException | Error e) {
            // The host has gone, or there is too little memory to read on.
            LOG.log(Level.DEBUG, "reading from the host ended", e);
        }
        end(Duration.ofDays(1));
    }

    private boolean readLine(Lines lines) throws IOException {
        try {
            byte[] line = lines.next();
            if (line == null) {
                return false;
            }
            ofHost(Message.ofHost(line));
        } catch (Message.Malformed e) {
            toHost(McpAnswers.error(null, e.code, "this message was not passed on: " + e.getMessage()));
        } catch (Lines.TooLong e) {
            toHost(McpAnswers.error(null, RpcError.INVALID_REQUEST, e.getMessage() + "; it was not passed on"));
        }
        return true;
    }

    private void ofHost(Message message) {
        if (message.is("tools/call")) {
            if (message.isRequest()) {
                call(message);
            }
            // Without an id nobody hears the answer, so it is no call: nothing runs.
        } else if (!(message.is("notifications/cancelled") && detached(message))) {
            pass(message);
        }
    }

    private void call(Message request) {
        if (!(request.param("name") instanceof String name) || name.isBlank() || !hasObjectArguments(request)) {
            toHost(McpAnswers.error(
                    request.id(), RpcError.INVALID_PARAMS, "a call has a name, and arguments that are an object"));
            return;
        }
        if (options.ownTools() && OwnTools.has(request)) {
            workers.execute(() -> toHost(own.answer(request)));
            return;
        }
        HostCall call = new HostCall(request);
        Turns.Turn turn = turns.next();
        calls.put(String.valueOf(request.id()), call);
        running.add(call);
        try {
            workers.execute(() -> answer(call, turn));
        } catch (RuntimeException | Error e) {
            over(call, turn, failed(call, e));
        }
    }

    private void answer(HostCall call, Turns.Turn turn) {
        byte[] answer;
        try {
            answer = guard.answer(call, turn);
        } catch (RuntimeException | Error e) {
            answer = failed(call, e);
        }
        over(call, turn, answer);
    }

    private static byte[] failed(HostCall call, Throwable thrown) {
        return McpAnswers.error(
                call.request().id(),
                RpcError.OF_THE_GUARD,
                "the guard failed, and it is unknown whether the call took effect: " + thrown);
    }

    private void over(HostCall call, Turns.Turn turn, byte[] answer) {
        turn.giveUp();
        calls.remove(String.valueOf(call.request().id()), call);
        if (call.isAttached()) {
            toHost(answer);
        }
        running.remove(call);
    }

    private static boolean hasObjectArguments(Message request) {
        Object arguments = request.param("arguments");
        return arguments == null || arguments instanceof Map;
    }

    /** The host no longer waits for a call. The call goes on, and its result is kept for the next time. */
    private boolean detached(Message cancelled) {
        if (cancelled.param("requestId") == null) {
            return false;
        }
        HostCall call = calls.remove(cancelled.text("params", "requestId"));
        if (call != null) {
            call.detach();
        }
        return call != null;
    }

    private void pass(Message message) {
        opening.remember(message);
        String id = String.valueOf(message.id());
        if (message.isResponse()) {
            asked.remove(id);
        }
        try {
            server.write(message.bytes(), () -> {
                if (message.isRequest()) {
                    passed.put(id, message);
                }
            });
        } catch (NotExecutedException e) {
            passed.put(id, message);
            refuse(message);
        } catch (IOException e) {
            refuse(message);
        }
    }

    private void refuse(Message request) {
        if (passed.remove(String.valueOf(request.id())) != null && request.isRequest()) {
            toHost(McpAnswers.error(request.id(), RpcError.OF_THE_GUARD, "the server ended before it answered"));
        }
    }

    /** Sends a request of the guard to the server. */
    private CompletableFuture<Message> send(Message request, HostCall from) {
        String id = prefix + number.incrementAndGet();
        byte[] bytes = Splice.replace(request.bytes(), Splice.quoted(id), "id");
        if (from.token() != null) {
            bytes = Splice.replace(bytes, Splice.quoted(id), "params", "_meta", "progressToken");
        }
        CompletableFuture<Message> response = new CompletableFuture<>();
        try {
            server.write(bytes, () -> sent.put(id, new Sent(response, from)));
        } catch (IOException e) {
            sent.remove(id);
            response.completeExceptionally(new NoAnswerException("the server went while the call was sent"));
        }
        return response;
    }

    private void giveSigns() {
        for (HostCall call : running) {
            String token = call.token();
            String progress = token == null ? null : call.sign();
            if (progress != null) {
                toHost(("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":"
                                + token + ",\"progress\":" + progress + ",\"message\":\"still running\"}}")
                        .getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    /** A server that asks a host that is gone must not wait for ever. */
    private void answerForHost(Message request) {
        byte[] answer = request.is("elicitation/create")
                ? new McpAnswers(request, false).result("{\"action\":\"cancel\"}")
                : McpAnswers.error(request.id(), RpcError.OF_THE_GUARD, "the host is gone");
        workers.execute(() -> {
            try {
                server.write(answer, () -> asked.remove(String.valueOf(request.id())));
            } catch (IOException | NotExecutedException e) {
                // The server is gone as well.
                return;
            }
        });
    }

    private void toHost(byte[] message) {
        writing.lock();
        try {
            OutputStream out = host;
            if (out != null) {
                out.write(message);
                out.write('\n');
                out.flush();
            }
        } catch (IOException e) {
            // The host reads no more. Results are kept for the next one.
            host = null;
        } finally {
            writing.unlock();
        }
    }

    /** What comes from the server. */
    private final class FromServer implements ServerProcess.Listener {
        @Override
        public void line(byte[] line) {
            Message message = Message.ofServer(line);
            if (message == null) {
                unreadable(line);
            } else if (message.isResponse()) {
                response(message);
            } else if (message.is("notifications/progress")
                    && message.param("progressToken") instanceof String token
                    && token.startsWith(prefix)) {
                progress(message, token);
            } else if (message.isRequest() && host == null) {
                answerForHost(message);
            } else {
                if (message.isRequest()) {
                    asked.put(String.valueOf(message.id()), message);
                }
                toHost(line);
            }
        }

        /** An answer that can't be read leaves a doubt. Other lines may be output that was not meant for a host. */
        private void unreadable(byte[] line) {
            String text = new String(line, StandardCharsets.ISO_8859_1);
            List<String> named = sent.keySet().stream()
                    .filter(id -> text.contains("\"" + id + "\""))
                    .toList();
            if (named.isEmpty()) {
                toHost(line);
            }
            for (String id : named) {
                Sent call = sent.remove(id);
                if (call != null) {
                    call.response.completeExceptionally(new NoAnswerException("the server's answer is no valid JSON"));
                }
            }
        }

        private void response(Message response) {
            Object id = response.members().get("id");
            if (id instanceof String own && own.startsWith(prefix)) {
                Sent call = sent.remove(own);
                if (call != null) {
                    call.response.complete(response);
                }
                return;
            }
            Message request = passed.remove(String.valueOf(response.id()));
            byte[] bytes = response.bytes();
            if (request != null && request.is("tools/list")) {
                tools.learn(response);
                bytes = options.ownTools() ? OwnTools.listed(response) : bytes;
            }
            toHost(bytes);
        }

        private void progress(Message message, String token) {
            Sent call = sent.get(token);
            String theirs = call == null ? null : call.from.token();
            if (call != null
                    && theirs != null
                    && message.param("progress") instanceof Number value
                    && call.from.reports(value.doubleValue())) {
                toHost(Splice.replace(message.bytes(), theirs, "params", "progressToken"));
            }
        }

        @Override
        public void ended(String how) {
            Set.copyOf(sent.keySet()).forEach(id -> {
                Sent call = sent.remove(id);
                if (call != null) {
                    call.response.completeExceptionally(
                            new NoAnswerException("the server ended before it answered, with " + how));
                }
            });
            List.copyOf(passed.values()).forEach(StdioProxy.this::refuse);
        }

        @Override
        public void startedAgain(ServerProcess.Writer writer) {
            try {
                for (Message message : opening.messages()) {
                    if (!message.isRequest()) {
                        writer.write(message.bytes());
                        continue;
                    }
                    String id = prefix + number.incrementAndGet();
                    CompletableFuture<Message> response = new CompletableFuture<>();
                    sent.put(id, new Sent(response, new HostCall(message)));
                    writer.write(Splice.replace(message.bytes(), Splice.quoted(id), "id"));
                    response.get(LONGEST_OPENING.toMillis(), TimeUnit.MILLISECONDS);
                }
            } catch (IOException | ExecutionException | TimeoutException e) {
                // The server has gone again, or will not answer calls either.
                return;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void over() {
            awaitCalls(Duration.ofSeconds(5));
            over.complete(1);
        }
    }
}
