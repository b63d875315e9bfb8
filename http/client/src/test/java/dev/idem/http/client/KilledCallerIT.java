package dev.idem.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.InDoubtException;
import dev.idem.agent.provider.Provider;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A caller that is killed with {@code kill -9} while its requests are at ten points. The remotes go on, as remotes do.
 * After that, another process sends the same requests.
 */
class KilledCallerIT {
    private static final Set<String> IN_THE_CALLER =
            Set.of("before-the-claim", "after-the-claim", "before-the-record", "after-the-record");
    private static final Set<String> NOTHING_SENT = Set.of("before-the-claim", "after-the-claim");
    private static final Set<String> ENDS_WELL = Set.of("before-the-claim", "after-the-record");

    /** One point, with a remote that knows no keys and one that does. */
    private record Place(String point, Remote plain, Remote keyed) {
        @Override
        public String toString() {
            return point;
        }
    }

    @TempDir
    private static Path folder;

    private static List<Place> places;
    private static Idem idem;

    static List<Place> places() {
        return places;
    }

    @BeforeAll
    static void killACallerAtEveryPoint() throws Exception {
        CountDownLatch killed = new CountDownLatch(1);
        CountDownLatch reached = new CountDownLatch(12);
        places = new ArrayList<>();
        for (String point : List.of(
                "before-the-claim",
                "after-the-claim",
                "connected",
                "head-read",
                "before-the-effect",
                "after-the-effect",
                "in-the-head",
                "in-the-body",
                "before-the-record",
                "after-the-record")) {
            Remote.Points stops = here -> {
                if (here.equals(point) && killed.getCount() > 0) {
                    reached.countDown();
                    await(killed);
                }
            };
            Remote plain = new Remote(false, KilledCallerIT::answer);
            Remote keyed = new Remote(true, KilledCallerIT::answer);
            plain.points = stops;
            keyed.points = stops;
            places.add(new Place(point, plain, keyed));
        }
        String ledger = "sqlite:" + folder.resolve("idem.db");
        kill(reached, ledger);
        killed.countDown();
        for (Place place : places) {
            if (!NOTHING_SENT.contains(place.point)) {
                assertThat(place.plain.firstServed.await(60, TimeUnit.SECONDS)).isTrue();
                assertThat(place.keyed.firstServed.await(60, TimeUnit.SECONDS)).isTrue();
            }
        }
        idem = Idem.builder().ledger(ledger).quiet().open();
    }

    @AfterAll
    static void close() {
        idem.close();
        places.forEach(place -> {
            place.plain.close();
            place.keyed.close();
        });
    }

    @ParameterizedTest
    @MethodSource("places")
    void itHappensAtMostOnceOrIsInDoubt(Place place) {
        int before = place.plain.effects.get();
        boolean doubted = false;
        try {
            assertThat(KilledCaller.send(idem, null, place.plain.uri(), place.point))
                    .isEqualTo(201);
        } catch (InDoubtException e) {
            doubted = true;
            assertThat(e).hasMessageContaining("is in doubt").hasMessageContaining("idem resolve " + place.point);
        }

        assertThat(doubted).isEqualTo(!ENDS_WELL.contains(place.point));
        assertThat(place.plain.effects.get()).isEqualTo(doubted ? before : 1).isLessThanOrEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("places")
    void itHappensOnceWhereTheRemoteKnowsTheKey(Place place) {
        assertThat(KilledCaller.send(idem, Provider.STRIPE, place.keyed.uri(), place.point))
                .isEqualTo(201);
        assertThat(place.keyed.effects).hasValue(1);
        assertThat(place.keyed.seen)
                .extracting(Remote.Seen::key)
                .containsOnly(place.keyed.seen.get(0).key());
        assertThat(place.keyed.seen).extracting(Remote.Seen::body).containsOnly(ClientCases.CHARGE);
    }

    /** Answers in pieces, with a point between each two. */
    private static void answer(Remote remote, Remote.Seen seen, Socket socket) throws IOException {
        remote.points.at("before-the-effect");
        String answer = remote.act(seen);
        remote.points.at("after-the-effect");
        int body = answer.indexOf("\r\n\r\n") + 6;
        Remote.send(socket, answer.substring(0, 20));
        remote.points.at("in-the-head");
        Remote.send(socket, answer.substring(20, body));
        remote.points.at("in-the-body");
        Remote.send(socket, answer.substring(body));
    }

    /** Starts a caller, waits until all of its requests are at their points, and kills it. */
    private static void kill(CountDownLatch reached, String ledger) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                "-cp",
                System.getProperty("java.class.path"),
                KilledCaller.class.getName(),
                ledger));
        for (Place place : places) {
            command.addAll(List.of(
                    place.point, place.plain.uri().toString(), place.keyed.uri().toString()));
        }
        Process caller = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out = caller.inputReader(StandardCharsets.UTF_8)) {
            for (int i = 0; i < 2 * IN_THE_CALLER.size(); i++) {
                assertThat(out.readLine()).isEqualTo("stopped");
            }
            assertThat(reached.await(60, TimeUnit.SECONDS)).isTrue();
            // SIGKILL
            caller.destroyForcibly().waitFor();
        } finally {
            caller.destroyForcibly();
        }
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
