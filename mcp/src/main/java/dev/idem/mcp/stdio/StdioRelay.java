package dev.idem.mcp.stdio;

import dev.idem.Idem;
import dev.idem.NotExecutedException;
import dev.idem.mcp.guard.GuardSettings;
import dev.idem.mcp.guard.HostCall;
import dev.idem.mcp.guard.McpAnswers;
import dev.idem.mcp.guard.Message;
import dev.idem.mcp.guard.NoAnswerException;
import dev.idem.mcp.guard.RpcError;
import dev.idem.mcp.guard.SentRequests;
import dev.idem.mcp.guard.ToolCalls;
import dev.idem.mcp.guard.Turns;
import dev.idem.mcp.guard.Workers;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Passes messages between a host and a server through stdin and stdout. Tool calls go through the guard. */
public final class StdioRelay {
    private static final System.Logger LOG = System.getLogger("dev.idem.mcp");
    private static final int LONGEST_LINE = 64 * 1024 * 1024;
    private static final Duration LONGEST_OPENING = Duration.ofSeconds(60);
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(5);
    /** How long it may take to record that the calls of a server that has ended are in doubt. */
    private static final Duration LAST_RECORDS = Duration.ofSeconds(1);

    private final ServerProcess server;
    private final Duration signOfLife;
    private final Duration longestEnd;
    private final OpeningMessages opening = new OpeningMessages();
    private final Turns turns = new Turns();
    private final ToolCalls toolCalls;

    private final SentRequests sent = new SentRequests();
    /** Requests of the host that passed, by their ids. The server still has to answer them. */
    private final Map<String, Passed> passed = new ConcurrentHashMap<>();

    /** Requests of the server that the host still has to answer. */
    private final Map<String, Message> asked = new ConcurrentHashMap<>();

    private final Map<String, HostCall> calls = new ConcurrentHashMap<>();
    private final Set<HostCall> running = ConcurrentHashMap.newKeySet();
    private final ExecutorService callers = Workers.forCalls();
    private final ExecutorService workers = Workers.forOthers();
    private final StdioHost host = new StdioHost();
    private final CompletableFuture<Integer> over = new CompletableFuture<>();
    private volatile boolean hostEnded;

    private record Passed(Message request, CompletableFuture<Void> answered) {}

    public StdioRelay(
            Idem idem,
            GuardSettings settings,
            List<String> command,
            int restarts,
            Duration signOfLife,
            Duration longestEnd) {
        this.signOfLife = signOfLife;
        this.longestEnd = longestEnd;
        this.server = new ServerProcess(command, restarts, new FromServer());
        this.toolCalls = new ToolCalls(idem, settings, this::send);
    }

    /**
     * Passes messages until the host or the server is gone. When the host is gone, calls that still run are waited for,
     * so that their results are kept.
     *
     * @return the exit code: 0 when the host has ended the conversation
     * @throws IOException if the server can't be started
     */
    public int run(InputStream in, OutputStream out) throws IOException {
        host.open(out);
        server.start();
        ScheduledExecutorService signs = Executors.newSingleThreadScheduledExecutor(Workers::daemon);
        var unused = signs.scheduleAtFixedRate(
                this::giveSigns, signOfLife.toNanos(), signOfLife.toNanos(), TimeUnit.NANOSECONDS);
        Thread reader = Workers.daemon(() -> readHost(new Lines(in, LONGEST_LINE)));
        reader.start();
        try {
            return over.join();
        } finally {
            signs.shutdownNow();
            server.close();
            Workers.awaitAll(running.stream().map(HostCall::whenOver), LAST_RECORDS);
            callers.shutdown();
            workers.shutdown();
        }
    }

    /** The calls that the guard would have stopped, in words; for a guard in the shadow. */
    public String shadowSummary() {
        return toolCalls.shadowSummary();
    }

    /** Ends the conversation. It takes no more calls, and waits up to 16 seconds for those that run. */
    public void end() {
        answerForHost();
        Workers.awaitAll(running.stream().map(HostCall::whenOver), longestEnd);
        over.complete(0);
    }

    /** A host that has sent all its messages may still read. */
    private void endOfHost() {
        answerForHost();
        long until = System.nanoTime() + longestEnd.toNanos();
        Workers.awaitAll(running.stream().map(HostCall::whenOver), longestEnd);
        Duration left = Duration.ofNanos(Math.max(0, until - System.nanoTime()));
        if (host.isThere()) {
            Workers.awaitAll(
                    passed.values().stream().map(Passed::answered),
                    left.compareTo(LAST_ANSWERS) < 0 ? left : LAST_ANSWERS);
        }
        over.complete(0);
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
        endOfHost();
    }

    private boolean readLine(Lines lines) throws IOException {
        byte[] line;
        try {
            line = lines.next();
        } catch (Lines.TooLong e) {
            String id = Message.idOfUnreadable(e.beginning());
            toHost(McpAnswers.error(id, RpcError.INVALID_REQUEST, e.getMessage() + "; it was not passed on"));
            return true;
        }
        if (line == null) {
            return false;
        }
        try {
            ofHost(Message.ofHost(line));
        } catch (Message.Malformed e) {
            String why = "this message was not passed on: " + e.getMessage();
            toHost(McpAnswers.error(Message.idOfUnreadable(line), e.code, why));
        }
        return true;
    }

    private void ofHost(Message message) {
        if (message.is("tools/call")) {
            if (message.isRequest()) {
                call(message);
            }
            // A call without an id has no answer, so it is no call: nothing runs.
        } else if (!(message.is("notifications/cancelled") && detached(message))
                && !(message.isResponse() && toolCalls.answeredBy(message, Optional.empty()))) {
            pass(message);
        }
    }

    private void call(Message request) {
        byte[] refusal = ToolCalls.refusal(request);
        if (refusal != null) {
            toHost(refusal);
            return;
        }
        HostCall call = toolCalls.isOwn(request) ? HostCall.outOfTurn(request) : host.call(request, turns.next());
        calls.put(String.valueOf(request.id()), call);
        running.add(call);
        try {
            if (hostEnded) {
                call.turn().giveUp();
                over(
                        call,
                        McpAnswers.error(request.id(), RpcError.OF_THE_GUARD, "the guard is ending; nothing was sent"));
                return;
            }
            (toolCalls.isOwn(request) ? workers : callers).execute(() -> over(call, toolCalls.answer(call)));
        } catch (RuntimeException | Error e) {
            call.turn().giveUp();
            over(call, ToolCalls.failed(call, e));
        }
    }

    private void over(HostCall call, byte[] answer) {
        try {
            calls.remove(String.valueOf(call.request().id()), call);
            if (call.isAttached()) {
                toHost(answer);
            }
        } finally {
            running.remove(call);
            call.over();
        }
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
        host.learn(message);
        String id = String.valueOf(message.id());
        if (message.isResponse()) {
            asked.remove(id);
        }
        Passed request = new Passed(message, new CompletableFuture<>());
        try {
            server.write(message.bytes(), () -> {
                if (message.isRequest()) {
                    passed.put(id, request);
                }
            });
        } catch (NotExecutedException e) {
            passed.put(id, request);
            refuse(id);
        } catch (IOException e) {
            refuse(id);
        }
    }

    /** Answers a passed request, if that was not done before. */
    private void answered(String id, Function<Message, byte @Nullable []> answer) {
        Passed request = passed.remove(id);
        byte[] bytes = request == null || !request.request.isRequest() ? null : answer.apply(request.request);
        if (bytes != null) {
            toHost(bytes);
        }
        if (request != null) {
            request.answered.complete(null);
        }
    }

    private void refuse(String id) {
        answered(id, request -> McpAnswers.error(id, RpcError.OF_THE_GUARD, "the server ended before it answered"));
    }

    /** Sends a request of the guard to the server. */
    private CompletableFuture<Message> send(Message message, HostCall from) {
        String id = sent.newId();
        CompletableFuture<Message> response = new CompletableFuture<>();
        try {
            server.write(SentRequests.renamed(id, message, from), () -> sent.await(id, from, response));
        } catch (IOException e) {
            sent.lose(id, new NoAnswerException("the server went while the call was sent"));
        }
        return response;
    }

    private void giveSigns() {
        for (HostCall call : running) {
            byte[] sign = call.sign();
            if (sign != null) {
                toHost(sign);
            }
        }
    }

    /** A server that asks a host that is gone must not wait for ever, and no call waits for an answer of its user. */
    private void answerForHost() {
        hostEnded = true;
        toolCalls.hostIsGone();
        for (String id : List.copyOf(asked.keySet())) {
            Message request = asked.remove(id);
            if (request != null) {
                workers.execute(() -> answerForHost(request));
            }
        }
    }

    private void answerForHost(Message request) {
        try {
            server.write(McpAnswers.hostIsGone(request), () -> {});
        } catch (IOException | NotExecutedException e) {
            LOG.log(Level.DEBUG, "the server is gone as well", e);
        }
    }

    private void toHost(byte[] message) {
        host.send(message);
    }

    /** Handles the messages that come from the server. */
    private final class FromServer implements ServerProcess.Listener {
        @Override
        public void line(byte[] line) {
            Message message = Message.ofServer(line);
            if (message == null) {
                // Other lines may be output that was not meant for a host.
                if (!sent.garbledBy(line)) {
                    toHost(line);
                }
            } else if (message.isResponse()) {
                response(message);
            } else if (sent.isProgress(message)) {
                byte[] progress = sent.progress(message);
                if (progress != null) {
                    toHost(progress);
                }
            } else {
                if (message.is("notifications/tools/list_changed")) {
                    toolCalls.listChanged();
                }
                if (message.isRequest()) {
                    asked.put(String.valueOf(message.id()), message);
                }
                if (message.isRequest() && hostEnded) {
                    answerForHost();
                } else {
                    toHost(line);
                }
            }
        }

        private void response(Message response) {
            String id = String.valueOf(response.id());
            if (sent.answeredBy(response)) {
                return;
            } else if (!passed.containsKey(id)) {
                // The host knows what to do with an answer that it has not asked for.
                toHost(response.bytes());
                return;
            }
            answered(
                    id,
                    request -> request.is("tools/list") ? toolCalls.listed("", request, response) : response.bytes());
        }

        @Override
        public void ended(String how, String then) {
            toolCalls.listChanged();
            sent.loseAll("the server ended before it answered, with " + how + then);
            List.copyOf(passed.keySet()).forEach(StdioRelay.this::refuse);
        }

        @Override
        public void startedAgain(ServerProcess.Writer writer) {
            try {
                for (Message message : opening.messages()) {
                    if (!message.isRequest()) {
                        writer.write(message.bytes());
                        continue;
                    }
                    HostCall from = HostCall.outOfTurn(message);
                    String id = sent.newId();
                    CompletableFuture<Message> response = new CompletableFuture<>();
                    sent.await(id, from, response);
                    writer.write(SentRequests.renamed(id, message, from));
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
            Workers.awaitAll(running.stream().map(HostCall::whenOver), LAST_ANSWERS);
            over.complete(1);
        }
    }
}
