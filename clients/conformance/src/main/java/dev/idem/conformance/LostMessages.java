package dev.idem.conformance;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Requests, answers and servers are lost once, and the call still runs once. */
final class LostMessages {
    private static final int BUSY = -32029;
    private static final int LEDGER_UNAVAILABLE = -32053;
    private static final int INTERNAL = -32603;
    private static final int TOO_LARGE = -32013;
    private static final int LONGEST_LINE = 20_000;

    private LostMessages() {}

    static List<Scenario> all() {
        List<Scenario> all = new ArrayList<>();
        for (String method : List.of("hello", "claim", "settle")) {
            String duty = method.equals("claim") ? Scenario.duty(3) : Scenario.duty(7);
            all.add(once(method + "-request-is-lost", duty, method, 1, Fault.LOSE_REQUEST));
            all.add(once(method + "-answer-is-lost", duty, method, 1, Fault.LOSE_ANSWER));
            all.add(once("the-server-dies-before-" + method, duty, method, 1, Fault.DIE_BEFORE));
            all.add(once("the-server-dies-after-" + method, duty, method, 1, Fault.DIE_AFTER));
        }
        for (String method : List.of("claim", "settle")) {
            String part = "the part on errors";
            all.add(once(method + "-is-answered-busy", part, method, 2, Fault.error("busy", BUSY)));
            Fault unavailable = Fault.errorAfter("ledger_unavailable", LEDGER_UNAVAILABLE);
            all.add(once(method + "-is-answered-ledger-unavailable", part, method, 2, unavailable));
            all.add(once(method + "-is-answered-internal", part, method, 1, Fault.errorAfter("internal", INTERNAL)));
        }
        all.add(new Scenario("a-grant-is-awaited", Scenario.duty(1), LostMessages::awaited));
        all.add(new Scenario("a-grant-is-doubled", Scenario.duty(3), LostMessages::doubled));
        all.add(new Scenario("a-repeated-claim-is-granted-twice", Scenario.duty(3), LostMessages::grantedTwice));
        all.add(new Scenario("a-settle-is-never-answered", Scenario.duty(7), LostMessages::unrecorded));
        all.add(new Scenario("a-result-is-too-large", Scenario.duty(8), LostMessages::tooLarge));
        all.add(new Scenario("a-result-is-longer-than-a-line", Scenario.duty(8), LostMessages::tooLong));
        return all;
    }

    /** The fault happens, and the call is done nevertheless, with one effect and a result that is replayed. */
    private static Scenario once(String name, String duty, String method, int times, Fault fault) {
        return new Scenario(name, duty, world -> {
            world.faults.next(times, method, fault);
            Driver driver = world.driver(World.QUICK);
            world.expectValue(driver.give(Job.of("k")), "done");
            List<Object> ids = new ArrayList<>();
            world.faults.requests("claim").forEach(each -> ids.add(String.valueOf(each.param("attempt_id"))));
            world.check(
                    ids.stream().distinct().count() == 1,
                    Scenario.duty(2),
                    "one call had the attempt ids " + ids + " although its claim had no answer");
            world.expectValue(driver.give(Job.of("k")), "replayed");
            world.expectEffects("k", 1);
        });
    }

    /** A line that is too long is answered without an id, so a client measures it. */
    private static void tooLong(World world) throws Exception {
        world.faults.all(request -> request.is("hello"), Fault.changing(result -> {
            Map<Object, Object> limits = new HashMap<>((Map<?, ?>) result.get("limits"));
            limits.put("request_bytes", LONGEST_LINE);
            result.put("limits", limits);
        }));
        String value = "x".repeat(LONGEST_LINE + 1);
        Job job = Job.of("k").returning(value);
        Driver driver = world.driver();
        world.expectTheirs(driver.give(job), value, "done");
        world.check(
                world.faults.requests("settle").stream().noneMatch(each -> value.equals(each.param("result"))),
                "a result was sent in a line that is longer than the server takes");
        world.expectTheirs(driver.give(job), null, "replayed");
        world.expectEffects("k", 1);
    }

    private static void awaited(World world) throws Exception {
        AtomicInteger before = new AtomicInteger();
        world.faults.next("claim", exchange -> {
            String answer = exchange.ask();
            // An action that does not wait for the grant runs meanwhile.
            Thread.sleep(300);
            before.set(world.effects().size());
            exchange.answer(answer);
        });
        Driver.Given given = world.driver().give(Job.of("k"));
        world.expectValue(given, "done");
        world.check(before.get() == 0, "the action ran before its claim was answered");
        world.expectEffects("k", 1);
    }

    private static void doubled(World world) throws Exception {
        world.faults.next("claim", exchange -> {
            String answer = exchange.ask();
            exchange.answer(answer);
            exchange.answer(answer);
        });
        Driver driver = world.driver();
        world.expectValue(driver.give(Job.of("k")), "done");
        kept(world, driver);
    }

    /** Both copies of a claim are answered, after the second was sent. */
    private static void grantedTwice(World world) throws Exception {
        world.faults.next("claim", exchange -> {
            String answer = exchange.ask();
            world.comes(() -> world.faults.requests("claim").size() > 1);
            exchange.answer(answer);
        });
        Driver driver = world.driver(World.QUICK);
        world.expectValue(driver.give(Job.of("k")), "done");
        kept(world, driver);
    }

    private static void kept(World world, Driver driver) throws Exception {
        world.expectValue(driver.give(Job.of("k")), "replayed");
        world.expectEffects("k", 1);
        world.check(world.faults.requests("withdraw").isEmpty(), "the second grant was given back by withdraw");
        world.check(
                world.faults.requests("settle").stream().allMatch(each -> "complete".equals(each.param("as"))),
                "the second grant was given back by settle");
    }

    private static void unrecorded(World world) throws Exception {
        world.faults.all(request -> request.is("settle"), Fault.LOSE_REQUEST);
        Driver driver =
                world.driver(Map.of("IDEM_RESEND_MS", "300", "IDEM_GIVE_UP_MS", "20000", "IDEM_SETTLE_MS", "1500"));
        world.expectValue(driver.give(Job.of("k")), "unrecorded");
        world.check(world.faults.requests("settle").size() > 1, "a settle without an answer was not sent again");
        world.expectEffects("k", 1);
    }

    private static void tooLarge(World world) throws Exception {
        world.faults.all(
                request -> request.is("settle") && request.param("result") != null,
                Fault.error("too_large", TOO_LARGE));
        Driver driver = world.driver();
        world.expectValue(driver.give(Job.of("k")), "done");
        world.check(world.state("k").equals("complete"), "the entry of a large result was " + world.state("k"));
        world.expectTheirs(driver.give(Job.of("k")), null, "replayed");
        world.expectEffects("k", 1);
    }
}
