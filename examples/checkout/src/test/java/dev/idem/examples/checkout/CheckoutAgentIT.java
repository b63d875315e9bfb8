package dev.idem.examples.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.examples.checkout.World.Moment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent in a process of its own, killed −9 at random points and started again until it is done. */
class CheckoutAgentIT {
    private static final long SEED = 20261115;
    private static final int KILLS = 20;
    private static final int KILLS_A_SESSION = 3;
    private static final int MOST_REQUESTS = 8;
    private static final List<Moment> MOMENTS = List.of(Moment.ASKED, Moment.DONE, Moment.ANSWERED);

    @TempDir
    Path folder;

    private final Random random = new Random(SEED);
    private final AtomicInteger killed = new AtomicInteger();

    @Test
    void killed_at_twenty_random_points_it_charges_mails_and_orders_once_or_says_that_it_is_in_doubt()
            throws Exception {
        int done = 0;
        int stopped = 0;
        try (World world = new World()) {
            for (int session = 1; killed.get() < KILLS; session++) {
                String customer = "cus_" + session;
                String output = untilItEnds(world, "order-" + session, customer);

                assertThat(world.charges(customer)).as(output).isEqualTo(1);
                assertThat(world.mails(customer)).as(output).isLessThanOrEqualTo(1);
                assertThat(world.orders(customer)).as(output).isLessThanOrEqualTo(1);
                if (output.startsWith("done")) {
                    done++;
                    assertThat(world.mails(customer)).as(output).isEqualTo(1);
                    assertThat(world.orders(customer)).as(output).isEqualTo(1);
                } else {
                    stopped++;
                    assertThat(output)
                            // The order too, when the agent is back before the cut-off call is over.
                            .containsPattern("^stopped: '(send_email|create_order)' was not called")
                            .contains("nobody knows whether that took effect")
                            .contains("a person can settle it under the key idem_");
                }
            }
        }
        assertThat(killed).hasValueGreaterThanOrEqualTo(KILLS);
        assertThat(done)
                .as("sessions that ended well; %d are in doubt", stopped)
                .isPositive();
    }

    @Test
    void nobody_kills_it() throws Exception {
        try (World world = new World()) {
            String output = run(world, "order-0", "cus_0", (request, moment) -> false);

            assertThat(output).startsWith("done").contains("3 calls, 3 ran");
            assertThat(List.of(world.charges("cus_0"), world.mails("cus_0"), world.orders("cus_0")))
                    .containsOnly(1L);
        }
    }

    /** Starts the agent again and again, and lets it live the last time. */
    private String untilItEnds(World world, String session, String customer) throws Exception {
        for (int kills = 0; kills < KILLS_A_SESSION; kills++) {
            int request = 1 + random.nextInt(MOST_REQUESTS);
            Moment moment = MOMENTS.get(random.nextInt(MOMENTS.size()));
            String output = run(world, session, customer, (seen, at) -> seen == request && at == moment);
            if (!output.isEmpty()) {
                return output;
            }
        }
        return run(world, session, customer, (request, moment) -> false);
    }

    /** Decides who has to die. */
    private interface Verdict {
        boolean now(int request, Moment moment);
    }

    private String run(World world, String session, String customer, Verdict verdict)
            throws IOException, InterruptedException {
        CompletableFuture<Process> agent = new CompletableFuture<>();
        world.send((request, moment) -> {
            if (verdict.now(request, moment)) {
                kill(agent.join());
            }
        });
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Djava.io.tmpdir=" + folder,
                        "-cp",
                        System.getProperty("java.class.path"),
                        CheckoutAgent.class.getName(),
                        "sqlite:" + folder.resolve("idem.db"),
                        world.url(),
                        session,
                        customer)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            agent.complete(process);
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            return output;
        } finally {
            process.destroyForcibly();
        }
    }

    private void kill(Process process) {
        if (process.isAlive()) {
            process.destroyForcibly(); // SIGKILL
            process.onExit().join();
            killed.incrementAndGet();
        }
    }
}
