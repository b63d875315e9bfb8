package dev.idem.http.client;

import static dev.idem.http.client.Remote.ANSWERS;
import static dev.idem.http.client.Remote.ENDS_THE_ANSWER_EARLY;
import static dev.idem.http.client.Remote.LOSES_THE_ANSWER;
import static dev.idem.http.client.Remote.RESETS;
import static dev.idem.http.client.Remote.RESETS_IN_THE_ANSWER;
import static dev.idem.http.client.Remote.STALLS;
import static dev.idem.http.client.Remote.STALLS_IN_THE_ANSWER;
import static dev.idem.http.client.Remote.actsAndFails;
import static dev.idem.http.client.Remote.problem;
import static dev.idem.http.client.Remote.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.InDoubtException;
import dev.idem.agent.provider.Provider;
import dev.idem.agent.retry.Retry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** The answers of a client to the faults of a remote. Every surface runs this table. */
final class ClientCases {
    private static final Duration LONG = Duration.ofSeconds(30);
    /** Where the remote stalls, the test waits for it. */
    private static final Duration SHORT = Duration.ofMillis(600);

    static final String CHARGE = "{\"cents\":4200}";
    private static final Provider KNOWS_KEYS = Provider.STRIPE;

    private ClientCases() {}

    /** The end of a call: a status, a replay, an exception of the network, or the doubt of an earlier call. */
    enum End {
        CREATED(201),
        REPLAYED(201),
        REDIRECT(307),
        REDIRECT_REPLAYED(307),
        UNAUTHORIZED(401),
        DECLINED(402),
        DECLINED_REPLAYED(402),
        CONFLICT(409),
        CONFLICT_REPLAYED(409),
        KEY_REUSED(422),
        TOO_MANY(429),
        UNAVAILABLE(503),
        NO_ANSWER(0),
        IN_DOUBT(0);

        private final int status;

        End(int status) {
            this.status = status;
        }

        static End of(Surface.Got got) {
            for (End end : values()) {
                if (end.status == got.status() && end.name().endsWith("REPLAYED") == got.replayed()) {
                    return end;
                }
            }
            throw new AssertionError("the caller got " + got);
        }
    }

    /**
     * One fault.
     *
     * @param first how the first call ends, and {@code second} a later one with the same key
     * @param requests how many requests the remote saw, and how many effects it had
     * @param waits the delays between the tries
     */
    record Case(
            String name,
            boolean knowsKeys,
            List<Remote.Step> script,
            End first,
            End second,
            int requests,
            int effects,
            List<Duration> waits) {
        boolean stalls() {
            return script.contains(STALLS) || stallsInTheAnswer();
        }

        boolean stallsInTheAnswer() {
            return script.contains(STALLS_IN_THE_ANSWER);
        }

        Duration limit() {
            return stalls() ? SHORT : LONG;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static Case plain(String name, End first, End second, int requests, int effects, Remote.Step... script) {
        return new Case(name, false, List.of(script), first, second, requests, effects, List.of());
    }

    private static Case keyed(String name, End first, End second, int requests, int effects, Remote.Step... script) {
        return new Case(
                name + ", and the remote knows the key",
                true,
                List.of(script),
                first,
                second,
                requests,
                effects,
                List.of());
    }

    private static Case waiting(Case one, Duration... waits) {
        return new Case(
                one.name, one.knowsKeys, one.script, one.first, one.second, one.requests, one.effects, List.of(waits));
    }

    static List<Case> all() {
        Duration none = Duration.ZERO;
        Duration asked = Duration.ofSeconds(7);
        return List.of(
                plain("all goes well", End.CREATED, End.REPLAYED, 1, 1, ANSWERS),
                keyed("all goes well", End.CREATED, End.REPLAYED, 1, 1, ANSWERS),
                plain("the answer is lost", End.NO_ANSWER, End.IN_DOUBT, 1, 1, LOSES_THE_ANSWER),
                waiting(keyed("the answer is lost", End.CREATED, End.REPLAYED, 2, 1, LOSES_THE_ANSWER), none),
                plain("the connection is reset", End.NO_ANSWER, End.IN_DOUBT, 1, 1, RESETS),
                waiting(keyed("the connection is reset", End.CREATED, End.REPLAYED, 2, 1, RESETS), none),
                plain("the answer breaks off", End.NO_ANSWER, End.IN_DOUBT, 1, 1, RESETS_IN_THE_ANSWER),
                waiting(keyed("the answer breaks off", End.CREATED, End.REPLAYED, 2, 1, RESETS_IN_THE_ANSWER), none),
                plain("the answer ends early", End.NO_ANSWER, End.IN_DOUBT, 1, 1, ENDS_THE_ANSWER_EARLY),
                waiting(keyed("the answer ends early", End.CREATED, End.REPLAYED, 2, 1, ENDS_THE_ANSWER_EARLY), none),
                plain("the remote stalls", End.NO_ANSWER, End.IN_DOUBT, 1, 1, STALLS),
                waiting(keyed("the remote stalls", End.CREATED, End.REPLAYED, 2, 1, STALLS), none),
                plain("the answer stalls", End.NO_ANSWER, End.IN_DOUBT, 1, 1, STALLS_IN_THE_ANSWER),
                plain("503", End.UNAVAILABLE, End.IN_DOUBT, 1, 0, refuses(503, "Retry-After: 7")),
                waiting(keyed("503", End.CREATED, End.REPLAYED, 2, 1, refuses(503, "Retry-After: 7")), asked),
                plain("503 after the effect", End.UNAVAILABLE, End.IN_DOUBT, 1, 1, actsAndFails(503)),
                waiting(keyed("503 after the effect", End.CREATED, End.REPLAYED, 2, 1, actsAndFails(503)), none),
                keyed(
                        "503 that the remote has stored",
                        End.UNAVAILABLE,
                        End.CREATED,
                        2,
                        1,
                        refuses(503, "Idempotent-Replayed: true")),
                waiting(plain("429", End.CREATED, End.REPLAYED, 2, 1, refuses(429, "Retry-After: 7")), asked),
                waiting(
                        plain(
                                "429 until a date",
                                End.CREATED,
                                End.REPLAYED,
                                2,
                                1,
                                refuses(429, "Retry-After: Tue, 17 Nov 2026 10:00:07 GMT")),
                        asked),
                plain("429 for too long", End.TOO_MANY, End.CREATED, 2, 1, refuses(429, "Retry-After: 3600")),
                plain("409", End.CONFLICT, End.IN_DOUBT, 1, 0, refuses(409)),
                plain("a login that has ended", End.UNAUTHORIZED, End.CREATED, 2, 1, refuses(401)),
                keyed("a login that has ended", End.UNAUTHORIZED, End.CREATED, 2, 1, refuses(401)),
                waiting(keyed("409", End.CREATED, End.REPLAYED, 2, 1, refuses(409, "Retry-After: 7")), asked),
                waiting(keyed("in flight", End.CREATED, End.REPLAYED, 2, 1, problem(409, "in-flight")), none),
                keyed("in doubt", End.CONFLICT, End.CREATED, 2, 1, problem(409, "in-doubt")),
                plain("in doubt", End.CONFLICT, End.IN_DOUBT, 1, 0, problem(409, "in-doubt")),
                plain("not kept", End.CONFLICT, End.CONFLICT_REPLAYED, 1, 0, problem(409, "result-not-kept")),
                plain("another request had the key", End.KEY_REUSED, End.CREATED, 2, 1, problem(422, "key-reused")),
                plain("a refusal", End.DECLINED, End.DECLINED_REPLAYED, 1, 0, refuses(402)),
                waiting(
                        keyed(
                                "a refusal after a lost answer",
                                End.UNAUTHORIZED,
                                End.CREATED,
                                3,
                                1,
                                LOSES_THE_ANSWER,
                                refuses(401)),
                        none),
                plain(
                        "a redirect",
                        End.REDIRECT,
                        End.REDIRECT_REPLAYED,
                        1,
                        0,
                        refuses(307, "Location: http://127.0.0.1:1/elsewhere")));
    }

    /** Runs one case. */
    static void run(Case one, Surface surface) throws Exception {
        RecordedTiming timing = new RecordedTiming();
        Retry retry = Retry.standard().timing(timing).random(() -> 0);
        Provider provider = one.knowsKeys ? KNOWS_KEYS : null;
        try (Remote remote = new Remote(one.knowsKeys, one.script.toArray(Remote.Step[]::new));
                Idem idem = Idem.builder().ledger("memory:").quiet().open()) {
            End first = call(() -> surface.send(idem, provider, retry, remote.uri(), "order-7", one.limit()));
            assertThat(remote.effects.get())
                    .as("effects after the first call, which ended with %s", first)
                    .isLessThanOrEqualTo(1);
            End second = call(() -> surface.send(idem, provider, retry, remote.uri(), "order-7", one.limit()));

            assertThat(remote.effects.get()).as("effects").isEqualTo(one.effects);
            assertThat(remote.seen).as("requests").hasSize(one.requests);
            assertThat(remote.seen)
                    .extracting(Remote.Seen::key)
                    .as("keys")
                    .doesNotContain("")
                    .containsOnly(remote.seen.get(0).key());
            assertThat(remote.seen).extracting(Remote.Seen::body).as("bodies").containsOnly(CHARGE);
            assertThat(List.of(first, second)).as("ends").containsExactly(one.first, one.second);
            assertThat(timing.slept).as("waits").isEqualTo(one.waits);
        }
    }

    private interface Sent {
        Surface.Got get() throws IOException, InterruptedException;
    }

    private static End call(Sent call) throws InterruptedException {
        try {
            return End.of(call.get());
        } catch (IOException e) {
            return End.NO_ANSWER;
        } catch (InDoubtException e) {
            return End.IN_DOUBT;
        }
    }
}
