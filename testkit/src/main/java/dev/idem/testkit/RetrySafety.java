package dev.idem.testkit;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks that an agent is safe to retry: runs it, lets its process die at every claim, effect and settle in turn, starts
 * it again each time, and counts what took effect.
 *
 * <pre>{@code
 * @Test
 * void the_checkout_agent_is_safe_to_retry() {
 *     try (AgentWorld world = new AgentWorld()) {
 *         RetrySafety.check(() -> new CheckoutAgent(world.idem(), world::act).run("order-7"), world);
 *     }
 * }
 * }</pre>
 *
 * What an agent keeps in memory dies with its process, so it is best made anew inside the lambda. A run that stops
 * because something is in doubt is safe; one that does it twice, or says that it is done when it is not, is not. The run
 * must be over when it returns: a thread that it leaves behind would act in its next life.
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
        /** Runs it. What it throws is how it stops; it is started again after that. */
        void run() throws Exception;
    }

    /**
     * Fails, with the report as its message, unless the agent is safe to retry.
     *
     * @throws AssertionError when an effect took place more often than in an undisturbed run, or was lost
     */
    public static void check(Agent agent, AgentWorld world) {
        SafetyReport report = examine(agent, world);
        if (!report.safe()) {
            throw new AssertionError(report.text());
        }
    }

    /**
     * What happened to the agent's effects.
     *
     * @throws AssertionError when the agent fails undisturbed, or nothing it does is seen by the world
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
            throw new AssertionError("the agent fails when nothing disturbs it: " + thrown, thrown);
        }
        Map<String, Integer> usual = world.effects();
        if (usual.isEmpty()) {
            throw new AssertionError("the agent had no effect on its world. Let its tools call world.act(\"charge\") "
                    + "where they would call a provider");
        }
        report.usual(usual);
        return world.steps();
    }

    /** The same request, sent twice. */
    private void again() {
        world.beginAnew(AgentWorld.Fault.NONE);
        live();
        world.nextLife();
        Throwable thrown = live();
        report.ended("it was run twice", world.effects(), thrown);
    }

    /** Started again until it is done, or has stopped as often as anybody would try. */
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

    /** What one life ended with; null when it came to its end. */
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
