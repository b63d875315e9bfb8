package dev.idem.mcp;

import dev.idem.Json;
import dev.idem.NotExecutedException;
import dev.idem.mcp.NoToolListException.Reason;
import dev.idem.mcp.guard.Message;
import dev.idem.mcp.guard.OneLine;
import dev.idem.mcp.stdio.ServerProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Asks a server that it starts. Closing it ends the server. */
final class ProcessConversation implements Conversation {
    private static final int QUEUE = 1_000;
    /** Some servers write a few words to stdout before they speak MCP. */
    private static final int MOST_OTHER_LINES = 100;

    private static final int LONGEST_SHOWN = 200;

    private final Duration limit;
    private final long until;
    private final BlockingQueue<Heard> heard = new ArrayBlockingQueue<>(QUEUE);
    private final ServerProcess server;
    private volatile boolean closed;
    private int questions;
    private int otherLines;
    private String firstOther = "";

    /** A line of the server, or its end. */
    private record Heard(@Nullable Message message, String text, boolean end) {}

    /**
     * Starts a server.
     *
     * @param limit for the whole conversation
     * @throws IOException if the command can't be started
     */
    ProcessConversation(List<String> command, Duration limit) throws IOException {
        this.limit = limit;
        this.until = System.nanoTime() + limit.toNanos();
        this.server = new ServerProcess(command, 0, new Listener());
        server.start();
    }

    private final class Listener implements ServerProcess.Listener {
        @Override
        public void line(byte[] line) {
            Message message = Message.ofServer(line);
            int shown = Math.min(line.length, 4 * LONGEST_SHOWN);
            put(new Heard(
                    message, OneLine.of(new String(line, 0, shown, StandardCharsets.UTF_8), LONGEST_SHOWN), false));
        }

        @Override
        public void ended(String how, String then) {
            put(new Heard(null, how, true));
        }

        @Override
        public void startedAgain(ServerProcess.Writer writer) {
            throw new IllegalStateException("it is started once");
        }

        @Override
        public void over() {
            // Its end has been told.
        }

        private void put(Heard next) {
            try {
                boolean taken = false;
                while (!closed && !taken) {
                    taken = heard.offer(next, 100, TimeUnit.MILLISECONDS);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public Message ask(String method, Map<String, Object> params) throws NoToolListException, InterruptedException {
        String id = String.valueOf(++questions);
        send(Map.of("jsonrpc", "2.0", "id", questions, "method", method, "params", params));
        while (true) {
            Heard next = heard.poll(until - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (next == null) {
                throw new NoToolListException(
                        Reason.NO_ANSWER,
                        "the server did not answer " + method + " within " + limit.toSeconds() + " s" + other());
            } else if (next.end) {
                throw new NoToolListException(
                        otherLines > 0 ? Reason.NOT_MCP : Reason.SERVER_ENDED,
                        "the server ended with " + next.text + " before it answered " + method + other());
            }
            Message message = next.message;
            if (message == null) {
                other(next.text);
            } else if (message.isResponse() && id.equals(message.id())) {
                return message;
            } else if (message.isRequest()) {
                answer(message);
            }
        }
    }

    @Override
    public void tell(String method) {
        send(Map.of("jsonrpc", "2.0", "method", method));
    }

    /** A server that has asked something may wait for the answer before it goes on. */
    private void answer(Message request) {
        String outcome = request.is("ping")
                ? "\"result\":{}"
                : "\"error\":{\"code\":-32601,\"message\":\"this client only lists the tools\"}";
        send("{\"jsonrpc\":\"2.0\",\"id\":" + request.id() + "," + outcome + "}");
    }

    private void send(Map<String, Object> message) {
        send(Json.write(message));
    }

    private void send(String message) {
        try {
            server.write(message.getBytes(StandardCharsets.UTF_8), () -> {});
        } catch (IOException | NotExecutedException e) {
            // The server is gone. The listener tells how, and no answer will come.
            return;
        }
    }

    private void other(String line) throws NoToolListException {
        firstOther = otherLines++ == 0 ? line : firstOther;
        if (otherLines == MOST_OTHER_LINES) {
            throw new NoToolListException(Reason.NOT_MCP, "the command does not speak MCP on stdout" + other());
        }
    }

    @Override
    public String other() {
        return otherLines == 0 ? "" : ". It wrote a line to stdout that is no message: " + firstOther;
    }

    @Override
    public void close() {
        closed = true;
        server.close();
    }
}
