package dev.idem.conformance;

import dev.idem.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** No answer to a claim comes in time. */
final class GivingUp {
    static final Map<String, String> SHORT =
            Map.of("IDEM_RESEND_MS", "300", "IDEM_GIVE_UP_MS", "2000", "IDEM_SETTLE_MS", "20000");

    private GivingUp() {}

    static List<Scenario> all() {
        return List.of(
                new Scenario("a-claim-is-given-up-and-withdrawn", Scenario.duty(3), world -> {
                    Driver driver = world.driver(SHORT);
                    withdrawn(world, driver, Job.of("k"), "k");
                }),
                new Scenario("a-claim-with-a-derived-key-is-withdrawn", Scenario.duty(3), world -> {
                    Object key = world.other("key", "{'scope':'conformance','operation':'charge','identity':{'n':1}}")
                            .get("key");
                    Job job = Job.of("").with("key", null).with("identity", Map.of("n", 1));
                    withdrawn(world, world.driver(SHORT), job, String.valueOf(key));
                }),
                new Scenario("a-withdrawal-is-lost", Scenario.duty(3), world -> {
                    withdrawn(world, world.driver(SHORT), Job.of("k"), "k", Fault.LOSE_REQUEST, Fault.DIE_BEFORE);
                }));
    }

    private static void withdrawn(World world, Driver driver, Job job, String key, Fault... withdrawals)
            throws Exception {
        world.expectValue(world.giveUntilAvailable(driver, Job.of("warm")), "done");
        int before = world.faults.requests("claim").size();
        for (Fault each : withdrawals) {
            world.faults.next("withdraw", each);
        }
        record Late(Exchange exchange, String answer) {}
        ConcurrentLinkedQueue<Late> late = new ConcurrentLinkedQueue<>();
        world.faults.all(request -> request.is("claim"), exchange -> late.add(new Late(exchange, exchange.ask())));
        Driver.Given given = driver.give(job);
        world.expect(given, "unavailable");
        world.expectEffects(key, 0);
        Set<@Nullable Object> ids = new HashSet<>();
        world.faults.requests("claim").stream().skip(before).forEach(each -> ids.add(each.param("attempt_id")));
        world.check(!ids.isEmpty(), "no claim was sent");
        for (Object id : ids) {
            world.await(
                    "a claim was given up without a withdraw of " + id + " with the key " + key,
                    () -> world.faults.requests("withdraw").stream()
                            .anyMatch(each -> id.equals(each.param("attempt_id")) && names(each, job, key)));
        }
        world.await(
                "the withdraw did not come again after it was lost",
                () -> !world.state(key).equals("in_progress"));
        // The answers come after all.
        late.forEach(each -> each.exchange().answer(each.answer()));
        world.faults.clear();
        Driver.Given again = world.giveUntilAvailable(driver, job);
        world.expectValue(again, "done");
        world.check(world.effects(given) == 0, Scenario.duty(1), "the action ran after its claim was given up");
        world.expectEffects(key, 1);
        for (Late each : late) {
            Object ticket = ticket(each.answer());
            world.check(
                    world.faults.requests("settle").stream().noneMatch(settle -> settle.names(ticket)),
                    "a grant that came too late was settled");
        }
    }

    /** Whether a withdrawal names the call: by its key, or as the claim without a key named it. */
    private static boolean names(Request withdraw, Job job, String key) {
        Object given = withdraw.param("key");
        Object identity = withdraw.param("identity");
        return given == null
                ? identity != null
                        && Json.write(identity).equals(Json.write(job.members().get("identity")))
                : given.equals(key);
    }

    /** The ticket in an answer; null if it has none. */
    static @Nullable Object ticket(String answer) {
        return Json.parse(answer) instanceof Map<?, ?> line && line.get("result") instanceof Map<?, ?> result
                ? result.get("ticket")
                : null;
    }
}
