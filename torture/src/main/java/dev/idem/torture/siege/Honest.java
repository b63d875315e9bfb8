package dev.idem.torture.siege;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A client that does what the protocol says, at a fixed rate, over kept connections and new ones. The time of a request counts
 * from the moment at which it was due.
 */
final class Honest implements AutoCloseable {
    /** As many as keep the rate where an answer takes two seconds. */
    private static final int CLIENTS = 40;
    /** One request of so many comes over a new connection. */
    private static final int NEW_CONNECTION = 4;

    static final Duration BETWEEN = Duration.ofMillis(50);
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    private final int port;
    private final List<Thread> threads = new ArrayList<>();
    private volatile Times client = new Times();
    private volatile Times operator = new Times();
    private volatile boolean ended;

    /** Begins to call and to look. */
    Honest(int port, String client, String operator) {
        this.port = port;
        AtomicLong calls = new AtomicLong();
        long begin = System.nanoTime();
        for (int i = 0; i < CLIENTS; i++) {
            start(() -> run(new Calls(client), begin, calls, BETWEEN));
        }
        AtomicLong looks = new AtomicLong();
        start(() -> run(new Looks(operator), begin, looks, BETWEEN_LOOKS));
    }

    private void start(Runnable work) {
        Thread thread = new Thread(work, "honest");
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
    }

    /** A time of the siege, with what came of its requests. */
    record Phase(Times client, Times operator) {}

    /** What follows is counted anew. */
    Phase begin() {
        client = new Times();
        operator = new Times();
        return new Phase(client, operator);
    }

    /** The requests of one client, one after the other. */
    private interface Script {
        String path();

        String token();

        String body();

        /** Goes on if the answer is right; else false. */
        boolean took(String answer);

        void failed();

        Times times(Honest honest);
    }

    private void run(Script script, long begin, AtomicLong ticks, Duration between) {
        @Nullable Wire kept = null;
        for (int turn = 1; !ended; turn++) {
            long due = begin + ticks.getAndIncrement() * between.toNanos();
            while (!ended && System.nanoTime() - due < 0) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
            if (ended) {
                break;
            }
            Times times = script.times(this);
            try {
                if (kept == null) {
                    kept = new Wire(port);
                }
                boolean isNew = turn % NEW_CONNECTION == 0;
                Wire.Answer answer = isNew ? once(script) : kept.ask(script.path(), script.token(), script.body());
                if (answer.status() != 200 || !script.took(answer.body())) {
                    script.failed();
                    times.addError(answer.status() == 200 ? "wrong answer" : String.valueOf(answer.status()));
                }
            } catch (IOException e) {
                if (!ended) {
                    script.failed();
                    times.addError(e.getClass().getSimpleName());
                }
                close(kept);
                kept = null;
            }
            times.add(System.nanoTime() - due);
        }
        close(kept);
    }

    private Wire.Answer once(Script script) throws IOException {
        try (Wire one = new Wire(port)) {
            return one.ask(script.path(), script.token(), script.body());
        }
    }

    private static void close(@Nullable Wire wire) {
        if (wire != null) {
            try {
                wire.close();
            } catch (IOException e) {
                // It is of no use any more.
            }
        }
    }

    /** Claims, settles, claims again and reads the result, for one key after the other. */
    private static final class Calls implements Script {
        private static final String[] STEPS = {"claim", "settle", "claim", "result"};
        private static final String[] ANSWERS = {"granted", "recorded", "replay", "complete"};

        private final String token;
        private int step;
        private String key = UUID.randomUUID().toString();
        private String ticket = "";

        Calls(String token) {
            this.token = token;
        }

        @Override
        public String path() {
            return "/v1/" + STEPS[step];
        }

        @Override
        public String token() {
            return token;
        }

        @Override
        public String body() {
            String address = "{\"scope\":\"honest\",\"operation\":\"pay\",\"key\":\"" + key + "\"";
            return switch (STEPS[step]) {
                case "claim" ->
                    address + ",\"attempt_id\":\""
                            + UUID.randomUUID().toString().replace("-", "") + "\"}";
                case "settle" -> "{\"ticket\":\"" + ticket + "\",\"as\":\"complete\",\"result\":{\"id\":\"ch_1\"}}";
                default -> address + "}";
            };
        }

        @Override
        public boolean took(String answer) {
            if (!answer.contains("\"answer\":\"" + ANSWERS[step] + "\"")) {
                return false;
            } else if (step == 0) {
                int at = answer.indexOf("\"ticket\":\"") + "\"ticket\":\"".length();
                ticket = answer.substring(at, answer.indexOf('"', at));
            }
            step++;
            if (step == STEPS.length) {
                failed();
            }
            return true;
        }

        /** Goes on with another key. */
        @Override
        public void failed() {
            step = 0;
            key = UUID.randomUUID().toString();
        }

        @Override
        public Times times(Honest honest) {
            return honest.client;
        }
    }

    /** What a person at the console does. */
    private static final class Looks implements Script {
        private static final List<String[]> STEPS = List.of(
                new String[] {"/v1/browse", "{\"limit\":100}"},
                new String[] {"/console/sign-in", "{\"token\":\"TOKEN\"}"},
                new String[] {"/v1/suggest", "{\"of\":\"label\"}"},
                new String[] {"/v1/stats", "{}"},
                new String[] {"/v1/counts", "{}"});

        private final String token;
        private int step;

        Looks(String token) {
            this.token = token;
        }

        @Override
        public String path() {
            return STEPS.get(step)[0];
        }

        @Override
        public String token() {
            return path().startsWith("/v1/") ? token : "";
        }

        @Override
        public String body() {
            return STEPS.get(step)[1].replace("TOKEN", token);
        }

        @Override
        public boolean took(String answer) {
            failed();
            return true;
        }

        @Override
        public void failed() {
            step = (step + 1) % STEPS.size();
        }

        @Override
        public Times times(Honest honest) {
            return honest.operator;
        }
    }

    @Override
    public void close() {
        ended = true;
        threads.forEach(LockSupport::unpark);
        try {
            for (Thread each : threads) {
                // A request has a minute.
                each.join(Duration.ofSeconds(70).toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
