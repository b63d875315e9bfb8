package dev.idem.examples.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.examples.checkout.AgentProcess.Ended;
import dev.idem.examples.checkout.World.Moment;
import dev.idem.testkit.Thorough;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The agent in a process of its own, killed −9 at random points and started again until it is done. */
class CheckoutAgentIT {
    private static final String SEED = "checkout.seed";
    private static final int KILLS_A_SESSION = 6;
    private static final int ROUNDS = 4;
    private static final int EFFECTS = 3;
    private static final List<Moment> MOMENTS = List.of(Moment.values());
    private static final long LATEST_NANOS = Duration.ofMillis(20).toNanos();

    @TempDir
    Path folder;

    private final long seed = Long.getLong(SEED, System.nanoTime());
    private final Random random = new Random(seed);
    private int killed;

    /** A server keeps the same promises. */
    static Stream<Store.Kind> kinds() {
        return Thorough.first(1, Store.Kind.values());
    }

    @ParameterizedTest
    @MethodSource("kinds")
    @Execution(ExecutionMode.CONCURRENT)
    void killedAtRandomPointsItChargesMailsAndOrdersOnceOrSaysThatItIsInDoubt(Store.Kind kind) throws Exception {
        System.out.println(kind + ": repeat with -D" + SEED + "=" + seed);
        int done = 0;
        int stopped = 0;
        try (Store store = kind.open(folder);
                World world = new World()) {
            AgentProcess agent = new AgentProcess(world, store.url(), folder);
            nobodyKillsIt(agent, world);
            // Each start takes seconds of a processor.
            int kills = Thorough.times(1, kind == Store.Kind.SQLITE ? 20 : 10);
            for (int session = 1; killed < kills; session++) {
                String customer = "cus_" + session;
                int most = Math.min(KILLS_A_SESSION, kills - killed);
                String output = untilItEnds(agent, world, "order-" + session, customer, most);

                String story = "seed " + seed + ", " + customer + ": " + output;
                assertThat(world.charges(customer)).as(story).isEqualTo(1);
                assertThat(world.mails(customer)).as(story).isLessThanOrEqualTo(1);
                assertThat(world.orders(customer)).as(story).isLessThanOrEqualTo(1);
                if (output.startsWith("done")) {
                    done++;
                    assertThat(world.effects(customer)).as(story).isEqualTo(EFFECTS);
                } else {
                    stopped++;
                    assertThat(output)
                            .as(story)
                            // The order too, when the agent is back before the cut-off call is over.
                            .containsPattern("^stopped: '(send_email|create_order)' was not called")
                            .contains("it is unknown whether that took effect")
                            .contains("a person can settle it under the key idem_");
                }
            }
        }
        System.out.printf("%s: killed %d times, %d sessions done, %d in doubt%n", kind, killed, done, stopped);
    }

    private static void nobodyKillsIt(AgentProcess agent, World world) throws Exception {
        Ended ended = agent.undisturbed("order-0", "cus_0");

        assertThat(ended.output()).startsWith("done").contains("3 calls, 3 ran");
        assertThat(List.of(world.charges("cus_0"), world.mails("cus_0"), world.orders("cus_0")))
                .containsOnly(1L);
    }

    /** Starts the agent again and again, and lets it live the last time. */
    private String untilItEnds(AgentProcess agent, World world, String session, String customer, int most)
            throws Exception {
        for (int kills = 0; kills < most; kills++) {
            Ended ended = agent.run(session, customer, somewhere(world.effects(customer)));
            if (!ended.killed()) {
                return ended.output();
            }
            killed++;
        }
        return agent.run(session, customer, (request, moment) -> false).output();
    }

    /** A random point among those that the agent still comes to: it asks the model anew, and does what is left. */
    private AgentProcess.Verdict somewhere(long effects) {
        int request = 1 + random.nextInt(ROUNDS + EFFECTS - (int) effects);
        Moment moment = MOMENTS.get(random.nextInt(MOMENTS.size()));
        long later = random.nextLong(LATEST_NANOS);
        return (seen, at) -> {
            boolean now = seen == request && at == moment;
            if (now && at == Moment.ANSWERED) {
                // It goes on meanwhile, settles what was answered, and claims the next.
                LockSupport.parkNanos(later);
            }
            return now;
        };
    }
}
