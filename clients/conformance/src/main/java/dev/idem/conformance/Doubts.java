package dev.idem.conformance;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An earlier attempt is in doubt, or this one can't be settled. */
final class Doubts {
    private static final Map<String, Object> FOUND = Map.of("id", "found");

    private Doubts() {}

    static List<Scenario> all() {
        return List.of(
                new Scenario("a-probe-found-the-effect", Scenario.duty(9), Doubts::happened),
                new Scenario("a-probe-found-nothing", Scenario.duty(9), Doubts::notExecuted),
                new Scenario("a-probe-found-nothing-destructive", Scenario.duty(9), Doubts::destructive),
                new Scenario("a-probe-can-not-tell", Scenario.duty(9), Doubts::unknown),
                new Scenario("a-probe-is-overtaken", Scenario.duty(9), Doubts::overtaken),
                new Scenario("a-failure-after-a-doubt", "the part on settle", Doubts::failureAfterDoubt),
                new Scenario("a-result-was-recorded-before", Scenario.duty(7), Doubts::recordedBefore),
                new Scenario("the-attempt-was-ended-before", Scenario.duty(7), Doubts::endedBefore),
                new Scenario("a-doubt-without-a-probe", Scenario.duty(9), Doubts::withoutProbe),
                new Scenario("another-attempt-has-the-key", Scenario.duty(7), Doubts::stale));
    }

    /** Leaves a doubt about a key that a probe may settle at once. */
    private static void doubt(World world, String policy) throws InterruptedException {
        String brief = policy + "'time_limit':'20ms','lease':'20ms'";
        Map<String, @Nullable Object> granted = world.otherClaim("k", brief);
        world.otherSettle(granted, "'as':'in_doubt'");
        while (world.otherClaim("k", policy + "'on_doubt':'halt'").get("probe_in_ms") instanceof Long millis
                && millis > 0) {
            Thread.sleep(millis);
        }
    }

    private static void happened(World world) throws Exception {
        doubt(world, "");
        world.expectTheirs(world.driver().give(Job.of("k").probe("happened", FOUND)), FOUND, "replayed", "done");
        world.expectEffects("k", 0);
        world.check(world.state("k").equals("complete"), "the entry was " + world.state("k"));
    }

    private static void notExecuted(World world) throws Exception {
        doubt(world, "");
        world.expectValue(world.driver().give(Job.of("k").probe("not_executed", null)), "done");
        world.expectEffects("k", 1);
        probed(world, "not_executed");
    }

    private static void probed(World world, String as) throws Violation {
        List<Request> settles = world.faults.requests("settle");
        world.check(
                !settles.isEmpty() && as.equals(settles.get(0).param("as")),
                "the answer of the probe was not settled as " + as);
    }

    private static void destructive(World world) throws Exception {
        doubt(world, "'side_effect':'destructive',");
        Job job = Job.of("k").policy("side_effect", "destructive").probe("not_executed", null);
        Driver driver = world.driver();
        world.expect(driver.give(job), "failed");
        world.expectEffects("k", 0);
        probed(world, "not_executed");
        world.expectValue(driver.give(job), "done");
        world.expectEffects("k", 1);
    }

    private static void unknown(World world) throws Exception {
        doubt(world, "");
        world.expect(world.driver().give(Job.of("k").probe("unknown", null)), "in_doubt");
        world.expectEffects("k", 0);
        probed(world, "in_doubt");
    }

    /** The answer to the probe's settle is lost, and another client runs the action before the settle is repeated. */
    private static void overtaken(World world) throws Exception {
        doubt(world, "");
        world.faults.next("settle", exchange -> {
            exchange.ask();
            world.otherSettle(world.otherClaim("k", ""), "'as':'complete','result':'theirs'");
        });
        Job job = Job.of("k").probe("not_executed", null);
        world.expectTheirs(world.driver(World.QUICK).give(job), "theirs", "replayed");
        world.expectEffects("k", 0);
    }

    /** This attempt had no effect, but the one before may have had one. */
    private static void failureAfterDoubt(World world) throws Exception {
        doubt(world, "");
        Job job = Job.of("k").policy("on_doubt", "rerun").throwing("definite_error");
        world.expect(world.driver().give(job), "in_doubt");
        world.expectEffects("k", 1);
        world.check(world.state("k").equals("in_doubt"), "the entry was " + world.state("k"));
    }

    /** A probe has found the effect while the action still ran, and other callers have its result. */
    private static void recordedBefore(World world) throws Exception {
        var gate = world.gate("late");
        Driver.Given given = world.driver().give(Job.of("k").until(gate));
        world.await("the action did not run", () -> world.effects(given) == 1);
        Request claim = world.faults.requests("claim").get(0);
        world.otherSettle(world.repeated(claim), "'as':'complete','result':'theirs'");
        world.open(gate);
        world.expectTheirs(given, "theirs", "done", "replayed");
        world.expectEffects("k", 1);
    }

    /** The attempt was settled as failed while its action ran, so that its value is in no entry. */
    private static void endedBefore(World world) throws Exception {
        var gate = world.gate("late");
        Driver.Given given = world.driver().give(Job.of("k").until(gate));
        world.await("the action did not run", () -> world.effects(given) == 1);
        Request claim = world.faults.requests("claim").get(0);
        world.otherSettle(world.repeated(claim), "'as':'failed'");
        world.open(gate);
        world.expectValue(given, "unrecorded", "stale");
        world.expectEffects("k", 1);
    }

    private static void withoutProbe(World world) throws Exception {
        doubt(world, "");
        world.expect(world.driver().give(Job.of("k")), "in_doubt");
        world.expectEffects("k", 0);
        world.check(
                world.faults.requests("claim").stream().noneMatch(each -> Boolean.TRUE.equals(each.param("can_probe"))),
                "the part on claim",
                "a client without a probe said can_probe");
    }

    private static void stale(World world) throws Exception {
        Driver driver = world.driver();
        var gate = world.gate("late");
        Driver.Given given = driver.give(Job.of("k").until(gate));
        world.await("the action did not run", () -> world.effects(given) == 1);
        Request claim = world.faults.requests("claim").get(0);
        Map<String, @Nullable Object> theirs =
                world.takeOver("k", world.repeated(claim).get("ticket"));
        world.open(gate);
        world.expectValue(given, "stale");
        world.check(world.faults.requests("settle").size() == 1, "after the answer stale the ticket was settled again");
        world.otherSettle(theirs, "'as':'complete','result':'theirs'");
        world.expectTheirs(driver.give(Job.of("k")), "theirs", "replayed");
        world.expectEffects("k", 1);
    }
}
