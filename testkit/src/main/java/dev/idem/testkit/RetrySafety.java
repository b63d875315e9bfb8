package dev.idem.testkit;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks that an agent is safe to retry: runs it, simulates the death of its process at every claim, effect and settle,
 * restarts it each time, and counts the effects.
 *
 * <pre>{@code
 * @Test
 * void theCheckoutAgentIsSafeToRetry() {
 *     try (AgentWorld world = new AgentWorld()) {
 *         RetrySafety.check(() -> new CheckoutAgent(world.idem(), world::act).run("order-7"), world);
 *     }
 * }
 * }</pre>
 *
 * The memory of an agent dies with its process, so create the agent inside the lambda. A run that stops because an
 * entry is in doubt is safe; a run that acts twice, or reports success without the effect, is not. The run must be over
 * when it returns: a remaining thread would act in the next run.
 */
public final class RetrySafety {
    private static final int MOST_LIVES = 4;

    private final Agent agent;
    private final AgentWorld world;
    private final SafetyReport.Builder report = new SafetyReport.Builder();

    private RetrySafety(Agent agent, AgentWorld world) {
        this.agent = agent;
        this.world = world;
    }

    /** One run of an agent, from its beginning to its end. */
    @FunctionalInterface
    public interface Agent {
        /** Runs the agent. After an exception it is started again. */
        void run() throws Exception;
    }

    /**
     * Fails, with the report as its message, unless the agent is safe to retry.
     *
     * @throws AssertionError if an effect took place more often than in an undisturbed run, or was lost
     */
    public static void check(Agent agent, AgentWorld world) {
        SafetyReport report = examine(agent, world);
        if (!report.safe()) {
            throw new AssertionError(report.text());
        }
    }

    /**
     * Runs the agent with all faults and reports its effects.
     *
     * @throws AssertionError if the agent fails undisturbed, or has no effect on the world
     */
    public static SafetyReport examine(Agent agent, AgentWorld world) {
        return new RetrySafety(agent, world).examined();
    }

    private SafetyReport examined() {
        int steps = undisturbed();
        again();
        for (int step = 1; step <= steps; step++) {
            disturbed(new AgentWorld.Fault(step, false));
            disturbed(new AgentWorld.Fault(step, true));
        }
        return report.build();
    }

    private int undisturbed() {
        world.beginAnew(AgentWorld.Fault.NONE);
        Throwable thrown = live();
        if (thrown != null) {
            throw new AssertionError("the agent fails without any fault: " + thrown, thrown);
        }
        Map<String, Integer> usual = world.effects();
        if (usual.isEmpty()) {
            throw new AssertionError("the agent had no effect on its world. Let its tools call world.act(\"charge\") "
                    + "where they would call a provider");
        }
        report.usual(usual);
        return world.steps();
    }

    /** Runs the agent twice without a fault. */
    private void again() {
        world.beginAnew(AgentWorld.Fault.NONE);
        live();
        world.nextLife();
        Throwable thrown = live();
        report.ended("it was run twice", world.effects(), thrown);
    }

    /** Runs the agent with a fault and restarts it until it is done or the number of tries is used up. */
    private void disturbed(AgentWorld.Fault fault) {
        world.beginAnew(fault);
        Throwable thrown = live();
        String struckAt = world.struckAt();
        if (struckAt == null) {
            return;
        }
        for (int life = 2; life <= MOST_LIVES && thrown != null; life++) {
            world.nextLife();
            thrown = live();
        }
        String what = fault.loses() ? "a response was lost " : "its process died ";
        report.ended(what + struckAt, world.effects(), thrown);
    }

    /** Runs the agent once; returns its exception, or null after a normal end. */
    @SuppressWarnings("CatchingUnchecked") // however the agent stops, it is started again
    private @Nullable Throwable live() {
        try {
            agent.run();
            return world.died() ? new Halted(Objects.requireNonNull(world.struckAt())) : null;
        } catch (Throwable thrown) {
            if (thrown instanceof VirtualMachineError error && !(thrown instanceof StackOverflowError)) {
                throw error;
            }
            return thrown;
        }
    }
}
