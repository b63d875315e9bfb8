package dev.idem.conformance.reference;

import dev.idem.conformance.reference.Connection.Reply;
import dev.idem.conformance.reference.Connection.Stopped;
import dev.idem.conformance.reference.Connection.Unanswered;
import dev.idem.conformance.reference.Pipe.Refused;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A client of {@code idem serve} that keeps every duty in docs/protocol.md, or breaks those that it is told to break. It
 * stands for a client in another language: of Idem it has only the reader of JSON.
 */
public final class ReferenceClient implements AutoCloseable {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final long LONGEST_WAIT = 25_000;
    private static final long WITHDRAW_FOR = 120_000;

    private final String ledger;
    private final long giveUpMillis;
    private final long settleMillis;
    private final Set<Mistake> mistakes;
    private final Connection connection;
    private volatile Call givenUp;
    private final Map<Object, CompletableFuture<Ended>> shared = new ConcurrentHashMap<>();

    public ReferenceClient(
            List<String> command,
            String ledger,
            long resendMillis,
            long giveUpMillis,
            long settleMillis,
            Set<Mistake> mistakes) {
        this.ledger = ledger;
        this.giveUpMillis = giveUpMillis;
        this.settleMillis = settleMillis;
        this.mistakes = mistakes;
        this.connection = new Connection(command, ledger, resendMillis, mistakes, this::secondGrant);
    }

    /** An error that proves that the action had no effect. */
    public static final class DefiniteError extends Exception {
        private static final long serialVersionUID = 1;
    }

    /** The action of a call; it gets the key. */
    public interface Action {
        Object run(String key) throws Exception;
    }

    /** The answer of a probe: {@code complete} with a value, {@code not_executed} or {@code in_doubt}. */
    public record Verdict(String as, Object value) {}

    /**
     * A call.
     *
     * @param fields scope, operation, key, identity, content, policy, arguments, as in a claim
     * @param probe what a probe would say; null if there is none
     */
    public record Call(Map<String, Object> fields, long waitMillis, Action action, Verdict probe) {
        String sideEffect() {
            return fields.get("policy") instanceof Map<?, ?> policy ? String.valueOf(policy.get("side_effect")) : "";
        }
    }

    /** How a call ended. */
    public record Ended(String outcome, Object value) {}

    private boolean does(Mistake mistake) {
        return mistakes.contains(mistake);
    }

    /** Makes a call. */
    public Ended call(Call call) {
        if (!does(Mistake.SHARES_BY_KEY_ALONE)) {
            return ask(call);
        }
        CompletableFuture<Ended> mine = new CompletableFuture<>();
        CompletableFuture<Ended> running = shared.putIfAbsent(call.fields().get("key"), mine);
        if (running != null) {
            return running.join();
        }
        mine.complete(ask(call));
        shared.remove(call.fields().get("key"));
        return mine.join();
    }

    private Ended ask(Call call) {
        try {
            return call.sideEffect().equals("read")
                    ? new Ended(
                            "done",
                            call.action().run(String.valueOf(call.fields().get("key"))))
                    : claimed(call);
        } catch (Unanswered e) {
            return new Ended("unavailable", null);
        } catch (Exception e) {
            return new Ended("error", e.toString());
        }
    }

    private Ended claimed(Call call) throws Exception {
        Moment waitEnd = Moment.now().plus(call.waitMillis());
        boolean waited = false;
        while (true) {
            Reply reply = claim(call, waited);
            switch (reply.word()) {
                case "granted" -> {
                    return act(call, reply);
                }
                case "probe" -> {
                    Ended ended = does(Mistake.ACTS_ON_PROBE) ? act(call, reply) : probed(call, reply);
                    if (ended != null) {
                        return ended;
                    }
                }
                case "replay" -> {
                    return new Ended("replayed", reply.answer().get("result"));
                }
                case "in_flight" -> {
                    Ended ended = waited(call, reply, waitEnd);
                    if (ended != null) {
                        return ended;
                    }
                    waited = !does(Mistake.FORGETS_THAT_IT_WAITED);
                }
                case "conflict", "in_doubt", "failed", "expired", "held", "denied" -> {
                    return new Ended(reply.word(), null);
                }
                default -> {
                    return does(Mistake.ACTS_ON_AN_UNKNOWN_ANSWER)
                            ? act(call, reply)
                            : new Ended("error", "unknown answer " + reply.word());
                }
            }
        }
    }

    private Reply claim(Call call, boolean waited) throws Exception {
        String id = does(Mistake.MAKES_ATTEMPT_IDS_FROM_THE_KEY)
                ? hash(String.valueOf(call.fields().get("key")))
                : randomId();
        Map<String, Object> params = new LinkedHashMap<>(call.fields());
        params.put("attempt_id", id);
        params.put("owner", owner());
        params.put("ledger", does(Mistake.SENDS_NO_LEDGER) ? null : ledger);
        params.put("can_probe", call.probe() != null);
        params.put("waited", waited);
        if (does(Mistake.ACTS_BEFORE_THE_GRANT)) {
            call.action().run(String.valueOf(call.fields().get("key")));
        }
        try {
            return connection.ask("claim", params, giveUpMillis);
        } catch (Unanswered e) {
            if (does(Mistake.ACTS_WITHOUT_AN_ANSWER) || (!e.sent && does(Mistake.RUNS_WITHOUT_A_SERVER))) {
                call.action().run(String.valueOf(call.fields().get("key")));
            }
            if (does(Mistake.ACTS_ON_A_LATE_GRANT)) {
                givenUp = call;
            }
            if (e.sent && !does(Mistake.GIVES_UP_WITHOUT_WITHDRAW)) {
                withdrawLater(call, id);
            }
            throw e;
        }
    }

    /** Says that the claim was given up, as soon as a server answers again. */
    private void withdrawLater(Call call, String id) {
        Thread thread = new Thread(() -> {
            try {
                Map<String, Object> params = new LinkedHashMap<>();
                for (String each : List.of("scope", "operation", "key", "identity")) {
                    params.put(each, call.fields().get(each));
                }
                params.put("attempt_id", id);
                connection.ask("withdraw", params, does(Mistake.WITHDRAWS_ONCE) ? 1 : WITHDRAW_FOR);
            } catch (Unanswered | Refused | Stopped e) {
                // Its lease ends.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private Ended act(Call call, Reply granted) throws Exception {
        String ticket = granted.text("ticket");
        Moment from = does(Mistake.COUNTS_THE_LIMIT_FROM_THE_LAST_CLAIM) ? granted.sent() : granted.first();
        Moment limit = from.plus((Long) granted.answer().get("time_limit_ms"));
        connection.hold(ticket, limit);
        try {
            if (limit.isOver() && !does(Mistake.ACTS_AFTER_THE_LIMIT)) {
                return settled(ticket, Map.of("as", "failed"), "failed", null);
            }
            Moment leased = does(Mistake.COUNTS_THE_LEASE_FROM_THE_RECEIPT)
                    ? Moment.now()
                    : does(Mistake.COUNTS_THE_LEASE_FROM_THE_LAST_COPY) ? granted.last() : granted.sent();
            if (leased.plus((Long) granted.answer().get("lease_ms")).isOver()) {
                Ended lost = renewed(ticket, limit);
                if (lost != null) {
                    return lost;
                }
            }
            return run(call, granted, ticket);
        } finally {
            connection.release(ticket);
        }
    }

    /** Null if the ticket was renewed, so that the action may run. */
    private Ended renewed(String ticket, Moment limit) throws Exception {
        Map<String, Object> one = Map.of("ticket", ticket, "left_ms", limit.leftMillis());
        Reply reply = connection.ask("renew", Map.of("tickets", List.of(one)), giveUpMillis);
        Object answer = ((Map<?, ?>) ((List<?>) reply.answer().get("tickets")).get(0)).get("answer");
        if ("renewed".equals(answer) || does(Mistake.ACTS_WHEN_NOT_RENEWED)) {
            return null;
        } else if ("lost".equals(answer) && !does(Mistake.SETTLES_AFTER_LOSS)) {
            return new Ended("unavailable", null);
        }
        return settled(ticket, Map.of("as", "failed"), "failed", null);
    }

    private Ended run(Call call, Reply granted, String ticket) throws Stopped {
        Object value;
        try {
            value = call.action().run(granted.text("key"));
        } catch (Exception e) {
            boolean definite = e instanceof DefiniteError || does(Mistake.CALLS_EVERY_ERROR_FAILED);
            String as = definite ? "failed" : "in_doubt";
            Map<String, Object> error = Map.of("type", "error", "message", String.valueOf(e.getMessage()));
            return settled(ticket, Map.of("as", as, "error", error), as, null);
        }
        Map<String, Object> how = new LinkedHashMap<>();
        if (does(Mistake.DROPS_A_LOST_TICKET) && connection.isLost(ticket)) {
            return new Ended("stale", value);
        }
        how.put("as", "complete");
        how.put("result", value);
        if (connection.isTooLong(how) && !does(Mistake.MEASURES_NOTHING)) {
            return settled(ticket, Map.of("as", "complete", "unavailable", "the result is too large"), "done", value);
        }
        return settled(ticket, how, "done", value);
    }

    private Ended settled(String ticket, Map<String, Object> how, String outcome, Object value) throws Stopped {
        Map<String, Object> params = new LinkedHashMap<>(how);
        params.put("ticket", ticket);
        try {
            Reply reply = connection.ask("settle", params, does(Mistake.SETTLES_ONCE) ? 1 : settleMillis);
            if (reply.word().equals("stale")) {
                if (does(Mistake.SETTLES_AFTER_STALE)) {
                    connection.ask("settle", params, settleMillis);
                }
                return new Ended("stale", value);
            }
            if (reply.word().equals("already")
                    && reply.answer().containsKey("result")
                    && !does(Mistake.IGNORES_THE_RECORDED_RESULT)) {
                return new Ended(outcome, reply.answer().get("result"));
            }
            boolean lost = reply.word().equals("already") && !"complete".equals(reply.text("state"));
            if (lost && "complete".equals(how.get("as")) && !does(Mistake.IGNORES_THE_RECORDED_STATE)) {
                return new Ended("unrecorded", value);
            }
            boolean doubted =
                    "in_doubt".equals(reply.text("state")) && !does(Mistake.CALLS_A_FAILURE_AFTER_A_DOUBT_FAILED);
            return doubted ? new Ended("in_doubt", null) : new Ended(outcome, value);
        } catch (Refused e) {
            if (e.code.equals("too_large") && how.containsKey("result") && !does(Mistake.LOSES_A_LARGE_RESULT)) {
                Map<String, Object> without = Map.of("as", "complete", "unavailable", "the result is too large");
                return settled(ticket, without, outcome, value);
            }
            return new Ended("unrecorded", value);
        } catch (Unanswered e) {
            return new Ended("unrecorded", value);
        }
    }

    /** The end of the call, or null to claim again. */
    private Ended probed(Call call, Reply reply) throws Stopped {
        String as = call.probe().as();
        Map<String, Object> how = new LinkedHashMap<>();
        how.put("as", as.equals("not_executed") && does(Mistake.SETTLES_A_PROBES_NO_AS_FAILED) ? "failed" : as);
        if (as.equals("complete")) {
            how.put("result", call.probe().value());
        }
        Ended ended = settled(
                reply.text("ticket"),
                how,
                as.equals("complete") ? "replayed" : as,
                call.probe().value());
        if (ended.outcome().equals("stale") && !does(Mistake.ENDS_WHEN_ITS_PROBE_IS_STALE)) {
            return null;
        } else if (!ended.outcome().equals("not_executed")) {
            return ended;
        }
        boolean again = !call.sideEffect().equals("destructive") || does(Mistake.RERUNS_DESTRUCTIVE_AFTER_A_PROBE);
        return again ? null : new Ended("failed", null);
    }

    /** The end of the call, or null to claim again. */
    private Ended waited(Call call, Reply inFlight, Moment end) throws Exception {
        if (inFlight.answer().get("fence") == null && !end.isOver()) {
            Thread.sleep((Long) inFlight.answer().get("retry_after_ms"));
            return null;
        }
        Map<String, Object> params = new LinkedHashMap<>();
        params.put("scope", call.fields().get("scope"));
        params.put("operation", call.fields().get("operation"));
        params.put("key", inFlight.text("key"));
        params.put("fence", inFlight.text("fence"));
        while (!end.isOver()) {
            long most = Math.min(LONGEST_WAIT, end.leftMillis());
            params.put("at_most_ms", most);
            Reply reply = connection.ask("wait", params, most + giveUpMillis, most + giveUpMillis);
            if (reply.word().equals("claim_again") || does(Mistake.RUNS_AFTER_A_FAILED_WAIT)) {
                return null;
            } else if (!reply.word().equals("in_flight") || does(Mistake.WAITS_ONCE)) {
                return new Ended(reply.word(), null);
            }
        }
        return new Ended("in_flight", null);
    }

    private void secondGrant(String ticket, Map<String, Object> answer) {
        if (givenUp != null) {
            try {
                givenUp.action().run(String.valueOf(answer.get("key")));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
        if (does(Mistake.GIVES_A_SECOND_GRANT_BACK)) {
            Thread thread = new Thread(() -> {
                try {
                    connection.ask("settle", Map.of("ticket", ticket, "as", "failed"), settleMillis);
                } catch (Unanswered | Refused | Stopped e) {
                    // It tried.
                }
            });
            thread.setDaemon(true);
            thread.start();
        }
    }

    static String randomId() {
        byte[] random = new byte[16];
        RANDOM.nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    private static String hash(String key) throws NoSuchAlgorithmException {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(hash).substring(0, 32);
    }

    /** This process as docs/protocol.md tells to read it; only a name where it can't be read. */
    private Map<String, Object> owner() {
        try {
            String bootId =
                    Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
            UUID uuid = UUID.fromString(bootId);
            byte[] bytes = ByteBuffer.allocate(16)
                    .putLong(uuid.getMostSignificantBits())
                    .putLong(uuid.getLeastSignificantBits())
                    .array();
            String namespace =
                    Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
            String host = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes) + "/"
                    + namespace.replaceAll("\\D", "");
            ProcessHandle self = ProcessHandle.current();
            long pid = does(Mistake.NAMES_ITS_PARENT_AS_OWNER)
                    ? self.parent().orElseThrow().pid()
                    : self.pid();
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            long start =
                    Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[19]);
            return Map.of("name", "reference", "process", Map.of("host", host, "pid", pid, "start", start));
        } catch (IOException | RuntimeException e) {
            return Map.of("name", "reference");
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
