package dev.idem.server.http;

import dev.idem.server.Api;
import dev.idem.server.ApiError;
import dev.idem.server.ApiException;
import dev.idem.server.Budget;
import dev.idem.server.Caller;
import dev.idem.server.LimitLog;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/** Lets requests begin as far as there is room for them, so that one client leaves some to the others. */
final class Admission {
    /** These read many entries. */
    private static final Set<String> LOOKS = Set.of(
            "browse",
            "stats",
            "counts",
            "suggest",
            "decisions",
            "approvals.list",
            "approvals.of",
            "poison.list",
            "ledger.browse",
            "ledger.stats");

    /** These may give a large result to anybody who may read it. */
    private static final Set<String> RESULTS = Set.of("result", "ledger.find", "ledger.browse");

    /** These give one to who has just got, or given, a large one. A settle is never held up: its answer is small. */
    private static final Set<String> REPLAYS = Set.of("claim", "ledger.claim");

    private static final int LARGE = 64 * 1024;
    private static final int VERY_LARGE = 1024 * 1024;
    private static final Duration REMEMBERED = Duration.ofSeconds(10);

    /** How often an answer is in the memory while it is made, and while it is sent. */
    private static final int COPIES_MADE = 6;

    private static final int COPIES_SENT = 3;
    private static final int MOST_QUEUED = 64;
    private static final Duration TURN = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int SLOWEST = 100_000;

    private final Budget queued = new Budget("looks at many entries", MOST_QUEUED, MOST_QUEUED / 2);
    private final Budget looks;
    private final Budget waiting = new Budget("requests for large results", MOST_QUEUED, MOST_QUEUED / 2);
    /** Taken before a result is read: a client whose answers are not read keeps nobody else's turn. */
    private final Budget own;

    private final Budget made;
    private final Budget sent;
    private final long share;
    private final LimitLog slow = new LimitLog();
    private final Map<String, Long> large = new ConcurrentHashMap<>();

    Admission() {
        int running = Math.max(4, 2 * Runtime.getRuntime().availableProcessors());
        looks = new Budget("running looks at many entries", running, running / 2);
        long most = Budget.ofHeap((long) COPIES_MADE * Api.LARGEST_REQUEST, 16);
        made = new Budget("large results that are read", most, Math.max(1, most / 2));
        long bytes = Runtime.getRuntime().maxMemory() / COPIES_SENT;
        share = Math.max(1, bytes / 2);
        sent = new Budget("bytes of large answers", bytes, share);
        // Only the share of a client counts: the queue has an end for all together.
        own = new Budget("bytes of large results", bytes * MOST_QUEUED, share);
    }

    /** The answer of a method, once it is this request's turn. */
    @SuppressWarnings("try") // The place in the queue is only closed here.
    String call(String method, Caller caller, Request request, Supplier<String> work) {
        String client = caller.client();
        if (!LOOKS.contains(method)) {
            return result(method, client, request, work);
        }
        try (Budget.Place queue = queued.require(client)) {
            return inTurn(looks, client, () -> result(method, client, request, work));
        }
    }

    private String result(String method, @Nullable String client, Request request, Supplier<String> work) {
        boolean large = RESULTS.contains(method) || (REPLAYS.contains(method) && hadLarge(client));
        return large && (RESULTS.contains(method) || waiting.hasShare(client))
                ? read(method, client, request, work)
                : held(method, work.get(), client, request);
    }

    /** A result, which may be large or not: only the ledger knows. */
    @SuppressWarnings("try") // The place in the queue is only closed here.
    private String read(String method, @Nullable String client, Request request, Supplier<String> work) {
        try (Budget.Place queue = waiting.require(client)) {
            Budget.Place room = await(own, client, Math.min(COPIES_SENT * (long) Api.LARGEST_REQUEST, share));
            try {
                String answer = inTurn(made, client, work);
                room.keep(size(answer));
                held(method, answer, client, request);
                if (size(answer) > 0) {
                    Request.addCompletionListener(request, failure -> room.close());
                }
                return answer;
            } catch (RuntimeException | Error e) {
                room.close();
                throw e;
            }
        }
    }

    /** What an answer takes while it is sent, but at most the share of a client: one slow reader leaves room for the answers of others. */
    private long size(String answer) {
        return answer.length() <= LARGE ? 0 : Math.min((long) COPIES_SENT * answer.length(), share);
    }

    private static Budget.Place await(Budget budget, @Nullable String client, long amount) {
        try {
            return budget.await(client, amount, TURN);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ApiException(ApiError.BUSY, "the server is ending; ask another one, or start it again", e);
        }
    }

    @SuppressWarnings("try") // The place is only closed here.
    private static String inTurn(Budget running, @Nullable String client, Supplier<String> work) {
        try (Budget.Place turn = await(running, client, 1)) {
            return work.get();
        }
    }

    private boolean hadLarge(@Nullable String client) {
        Long last = large.get(String.valueOf(client));
        return last != null && System.nanoTime() - last < REMEMBERED.toNanos();
    }

    /** A large answer fills the memory until its reader has read it. */
    private String held(String method, String answer, @Nullable String client, Request request) {
        long size = size(answer);
        if (size == 0) {
            return answer;
        }
        if (answer.length() > VERY_LARGE) {
            large.put(String.valueOf(client), System.nanoTime());
        }
        Budget.Place place;
        try {
            place = await(sent, client, size);
        } catch (ApiException e) {
            if (LOOKS.contains(method) || RESULTS.contains(method)) {
                throw e;
            }
            throw new ApiException(
                    ApiError.INTERNAL,
                    "too many large answers are on their way. The step may have been made: send the same request again",
                    e);
        }
        EndPoint end = request.getConnectionMetaData().getConnection().getEndPoint();
        long seconds = PATIENCE.toSeconds() + answer.length() / SLOWEST;
        Scheduler.Task late = request.getComponents()
                .getScheduler()
                .schedule(
                        () -> {
                            slow.tell(() -> "large answers that are sent: one was not read within " + seconds
                                    + " seconds" + (client == null ? "" : " by " + client));
                            end.close();
                        },
                        seconds,
                        TimeUnit.SECONDS);
        Request.addCompletionListener(request, failure -> {
            late.cancel();
            place.close();
        });
        return answer;
    }
}
