package dev.idem.conformance.reference;

import dev.idem.Json;
import dev.idem.conformance.reference.Pipe.Refused;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;

/** The server of a client: starts it, starts it again at once when it is lost, and repeats requests without an answer. */
final class Connection {
    private static final long PAUSE_MILLIS = 30;
    private static final long START_MILLIS = 30_000;
    private static final int REST_OF_A_LINE = 4096;

    private final List<String> command;
    private final String ledger;
    private final long resendMillis;
    private final Set<Mistake> mistakes;
    private final BiConsumer<String, Map<String, Object>> secondGrant;
    private final Map<String, Moment> limits = new ConcurrentHashMap<>();
    private final Set<Object> lost = ConcurrentHashMap.newKeySet();
    private volatile long longest;
    private Pipe pipe;
    private String ledgerId;
    private volatile String stopped;
    private volatile boolean closed;

    Connection(
            List<String> command,
            String ledger,
            long resendMillis,
            Set<Mistake> mistakes,
            BiConsumer<String, Map<String, Object>> secondGrant) {
        this.command = command;
        this.ledger = ledger;
        this.resendMillis = resendMillis;
        this.mistakes = mistakes;
        this.secondGrant = secondGrant;
    }

    /** There was no answer in time. */
    static final class Unanswered extends Exception {
        private static final long serialVersionUID = 1;
        final boolean sent;

        Unanswered(String what, boolean sent) {
            super(what);
            this.sent = sent;
        }
    }

    /** This client must not go on. */
    static final class Stopped extends Exception {
        private static final long serialVersionUID = 1;

        Stopped(String why) {
            super(why);
        }
    }

    /** An answer; {@code sent} is when the copy of the request that was answered was sent, {@code last} the last one. */
    record Reply(Map<String, Object> answer, Moment first, Moment sent, Moment last) {
        String word() {
            return String.valueOf(answer.get("answer"));
        }

        String text(String name) {
            return String.valueOf(answer.get(name));
        }
    }

    /** From now on a ticket is renewed when the server is lost. */
    void hold(String ticket, Moment limit) {
        limits.put(ticket, limit);
    }

    void release(String ticket) {
        limits.remove(ticket);
    }

    private synchronized Pipe pipe() throws IOException, Refused, Stopped {
        if (stopped != null) {
            throw new Stopped(stopped);
        } else if (closed) {
            throw new IOException("closed");
        } else if (pipe != null && !pipe.ended().isDone()) {
            return pipe;
        }
        Pipe started = new Pipe(command, this::surplus);
        try {
            greet(greeted(started));
        } catch (TimeoutException | InterruptedException e) {
            started.kill();
            throw new IOException("no hello", e);
        } catch (ExecutionException e) {
            started.kill();
            Throwable cause = e.getCause() instanceof CompletionException both ? both.getCause() : e.getCause();
            if (cause instanceof Refused refused && !refused.mayComeLater()) {
                throw refused;
            }
            throw new IOException(e);
        }
        pipe = started;
        renew(started);
        if (!mistakes.contains(Mistake.RESTARTS_AT_THE_NEXT_CALL)) {
            var unused = started.ended().thenAccept(gone -> restart());
        }
        return started;
    }

    /** Renews all tickets at a new server, until it knows of each whether it is held. */
    private void renew(Pipe at) {
        List<Map<String, Object>> tickets = tickets();
        if (tickets.isEmpty()) {
            return;
        }
        var unused = at.send("renew", Map.of("tickets", tickets)).thenAccept(reply -> {
            List<?> answers = (List<?>) reply.get("tickets");
            boolean open = false;
            for (int i = 0; i < tickets.size(); i++) {
                Object answer = ((Map<?, ?>) answers.get(i)).get("answer");
                open |= "unanswered".equals(answer);
                if ("lost".equals(answer)) {
                    lost.add(tickets.get(i).get("ticket"));
                }
            }
            if (open && !mistakes.contains(Mistake.RENEWS_ONCE)) {
                CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS)
                        .execute(() -> renew(at));
            }
        });
    }

    boolean isLost(String ticket) {
        return lost.contains(ticket);
    }

    /** Whether a request with these members is longer than the server takes. */
    boolean isTooLong(Map<String, Object> params) {
        return Json.writePlain(params).getBytes(StandardCharsets.UTF_8).length + REST_OF_A_LINE > longest;
    }

    /** Says hello until it is answered: a server may take seconds to start. */
    private Map<String, Object> greeted(Pipe started)
            throws InterruptedException, ExecutionException, TimeoutException {
        Moment end = Moment.now().plus(START_MILLIS);
        CompletableFuture<Map<String, Object>> answer = started.send("hello", hello());
        while (true) {
            try {
                return answer.get(Math.min(resendMillis, end.leftMillis()), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                if (end.isOver()) {
                    throw e;
                }
                answer = answer.applyToEither(started.send("hello", hello()), first -> first);
            }
        }
    }

    private Map<String, Object> hello() {
        return Map.of("protocol", 1, "ledger", ledger, "client", "reference");
    }

    private void greet(Map<String, Object> answer) throws Stopped {
        String id = String.valueOf(answer.get("ledger_id"));
        if (ledgerId != null && !ledgerId.equals(id) && !mistakes.contains(Mistake.IGNORES_ANOTHER_LEDGER_ID)) {
            stopped = "another ledger is at " + ledger;
            throw new Stopped(stopped);
        }
        ledgerId = id;
        longest = (Long) ((Map<?, ?>) answer.get("limits")).get("request_bytes");
    }

    private List<Map<String, Object>> tickets() {
        List<Map<String, Object>> all = new ArrayList<>();
        limits.forEach((ticket, limit) -> all.add(Map.of("ticket", ticket, "left_ms", limit.leftMillis())));
        return all;
    }

    /** Actions are running, and no server renews their leases. */
    private void restart() {
        Thread thread = new Thread(() -> {
            while (!closed && !limits.isEmpty()) {
                try {
                    pipe();
                    return;
                } catch (IOException e) {
                    pause();
                } catch (Refused | Stopped e) {
                    return;
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private record Event(Moment sent, Map<String, Object> answer, Throwable thrown) {}

    /** Sends a request until it is answered. */
    Reply ask(String method, Map<String, Object> params, long forMillis) throws Unanswered, Refused, Stopped {
        return ask(method, params, forMillis, forMillis > 0 ? resendMillis : 0);
    }

    /** Sends a request until it is answered; each copy may take this long. */
    Reply ask(String method, Map<String, Object> params, long forMillis, long eachMillis)
            throws Unanswered, Refused, Stopped {
        BlockingQueue<Event> events = new LinkedBlockingQueue<>();
        Moment first = Moment.now();
        Moment end = first.plus(forMillis);
        boolean sentOnce = false;
        boolean[] answered = {false};
        Moment last = first;
        while (!closed && !end.isOver()) {
            Map<String, Object> copy = params;
            if (mistakes.contains(Mistake.REPEATS_WITH_ANOTHER_ID) && method.equals("claim") && sentOnce) {
                copy = new LinkedHashMap<>(params);
                copy.put("attempt_id", ReferenceClient.randomId());
            }
            try {
                Moment sent = Moment.now();
                last = sent;
                var unused = pipe().send(method, copy).whenComplete((answer, thrown) -> {
                    synchronized (answered) {
                        if (answered[0] && answer != null) {
                            second(answer);
                        }
                    }
                    events.add(new Event(sent, answer, thrown));
                });
                sentOnce = true;
            } catch (IOException e) {
                pause();
                continue;
            }
            Event event = next(events, Math.min(eachMillis, end.leftMillis()));
            while (event != null && event.answer == null && !events.isEmpty()) {
                event = events.poll();
            }
            if (event != null && event.answer != null) {
                synchronized (answered) {
                    answered[0] = true;
                }
                return new Reply(event.answer, first, event.sent, last);
            } else if (event != null) {
                refuse(event.thrown);
                pause();
            }
        }
        synchronized (answered) {
            answered[0] = true;
        }
        if (method.equals("claim")
                && !mistakes.contains(Mistake.LETS_A_SILENT_SERVER_LIVE)
                && !mistakes.contains(Mistake.ACTS_ON_A_LATE_GRANT)) {
            killSilent(first);
        }
        throw new Unanswered("no answer to " + method, sentOnce);
    }

    /** Ends a server that has said nothing since then: it could still grant what is withdrawn at another one. */
    private synchronized void killSilent(Moment since) {
        if (pipe != null && pipe.isSilentSince(since)) {
            pipe.kill();
        }
    }

    private static void refuse(Throwable thrown) throws Refused {
        Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
        if (cause instanceof Refused refused && !refused.mayComeLater()) {
            throw refused;
        }
    }

    private static Event next(BlockingQueue<Event> events, long millis) {
        try {
            return events.poll(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private void surplus(Map<?, ?> response) {
        if (response.get("result") instanceof Map<?, ?> result) {
            @SuppressWarnings("unchecked")
            Map<String, Object> answer = (Map<String, Object>) result;
            second(answer);
        }
    }

    private void second(Map<String, Object> answer) {
        if ("granted".equals(answer.get("answer")) && answer.get("ticket") != null) {
            secondGrant.accept(String.valueOf(answer.get("ticket")), answer);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    synchronized void close() {
        closed = true;
        if (pipe != null) {
            pipe.close();
        }
    }
}
