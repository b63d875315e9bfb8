package dev.idem.conformance;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** A server or a client dies. */
final class Deaths {
    private Deaths() {}

    static List<Scenario> all() {
        return List.of(
                new Scenario("the-server-dies-during-actions", Scenario.duty(6), Deaths::duringActions),
                new Scenario("a-renewal-after-a-restart-is-unanswered", Scenario.duty(6), Deaths::unanswered),
                new Scenario("a-ticket-is-lost-during-its-action", Scenario.duty(7), Deaths::lost),
                new Scenario("the-server-falls-silent", Scenario.duty(6), Deaths::silent),
                new Scenario("the-server-dies-between-calls", Scenario.duty(6), Deaths::betweenCalls),
                new Scenario("another-ledger-after-a-restart", Scenario.duty(11), Deaths::anotherLedger),
                new Scenario("the-client-is-killed-during-an-action", "the part on the owner", Deaths::killedClient));
    }

    private static void duringActions(World world) throws Exception {
        Driver driver = world.driver();
        var gate = world.gate("both");
        Driver.Given one = driver.give(Job.of("one").until(gate));
        Driver.Given two = driver.give(Job.of("two").until(gate));
        world.await("the actions did not run", () -> world.effects(one) == 1 && world.effects(two) == 1);
        long claimed = world.faults.requests("claim").stream()
                .mapToLong(Request::at)
                .max()
                .orElseThrow();
        for (int deaths = 1; deaths <= 2; deaths++) {
            Served dying = world.server();
            Duration since = Duration.ofNanos(System.nanoTime() - claimed);
            dying.die();
            for (String key : List.of("one", "two")) {
                Object ticket = ticket(world, key);
                world.await(
                        "after the death of its server the client did not renew the ticket of " + key
                                + " while its action ran",
                        () -> renewals(world, dying).stream().anyMatch(each -> each.names(ticket)));
            }
            for (Request each : renewals(world, dying)) {
                Times.leftIsRight(world, each, since);
            }
        }
        world.open(gate);
        world.expectValue(one, "done");
        world.expectValue(two, "done");
        world.expectEffects("one", 1);
        world.expectEffects("two", 1);
        world.check(world.state("one").equals("complete"), "the entry was " + world.state("one"));
    }

    private static void unanswered(World world) throws Exception {
        world.faults.next("renew", renewalAnswered("unanswered"));
        Driver.Given given = restarted(world);
        world.await(
                "a ticket whose renewal was unanswered was not renewed again",
                () -> world.faults.requests("renew").size() > 1);
        world.open(world.gate("end"));
        world.expectValue(given, "done");
        world.expectEffects("k", 1);
    }

    /** Only the server knows whether its result still counts. */
    private static void lost(World world) throws Exception {
        CountDownLatch heard = new CountDownLatch(1);
        world.faults.all(request -> request.is("renew"), exchange -> {
            renewalAnswered("lost").handle(exchange);
            // The client hears of it before its action ends.
            Thread.sleep(100);
            heard.countDown();
        });
        Driver.Given given = restarted(world);
        heard.await();
        world.open(world.gate("end"));
        world.expectValue(given, "done");
        world.expectEffects("k", 1);
        world.check(world.state("k").equals("complete"), "the entry was " + world.state("k"));
    }

    private static Fault renewalAnswered(String word) {
        return Fault.changing(result -> result.put("tickets", List.of(Map.of("answer", word))));
    }

    /** A call whose server died during its action, and whose ticket was renewed at another one. */
    private static Driver.Given restarted(World world) throws Exception {
        Driver.Given given = world.driver().give(Job.of("k").until(world.gate("end")));
        world.await("the action did not run", () -> world.effects(given) == 1);
        world.server().die();
        world.await(
                "after the death of its server the client did not renew its ticket while its action ran",
                () -> !world.faults.requests("renew").isEmpty());
        return given;
    }

    /** The server lives, and answers nothing any more: it could still grant a claim that is withdrawn elsewhere. */
    private static void silent(World world) throws Exception {
        Driver driver = world.driver(GivingUp.SHORT);
        world.expectValue(world.giveUntilAvailable(driver, Job.of("warm")), "done");
        Served silent = world.server();
        world.faults.all(request -> request.server() <= silent.number(), Fault.LOSE_REQUEST);
        world.expect(driver.give(Job.of("k")), "unavailable", "done");
        world.await("a server that answered nothing was not killed", silent::isGone);
        world.expectValue(world.giveUntilAvailable(driver, Job.of("k")), "done", "replayed");
        world.expectEffects("k", 1);
    }

    private static List<Request> renewals(World world, Served dead) {
        return world.faults.requests("renew").stream()
                .filter(each -> each.server() > dead.number())
                .toList();
    }

    /** The ticket of a key: the repeat of its claim is given the same one. */
    private static Object ticket(World world, String key) {
        Request claim = world.faults.requests("claim").stream()
                .filter(each -> key.equals(each.param("key")))
                .findFirst()
                .orElseThrow();
        return String.valueOf(world.repeated(claim).get("ticket"));
    }

    private static void betweenCalls(World world) throws Exception {
        Driver driver = world.driver();
        world.expectValue(driver.give(Job.of("one")), "done");
        world.server().die();
        world.expectValue(driver.give(Job.of("two")), "done");
        world.expectValue(driver.give(Job.of("one")), "replayed");
        world.expectEffects("one", 1);
        world.expectEffects("two", 1);
    }

    /** Another file is at the path of the ledger, in which nothing has run yet. */
    private static void anotherLedger(World world) throws Exception {
        Driver driver = world.driver();
        world.expectValue(driver.give(Job.of("k")), "done");
        world.replaceLedger();
        world.server().die();
        world.expect(driver.give(Job.of("k")), "error");
        world.expectEffects("k", 1);
        world.check(
                world.faults.requests("claim").stream().allMatch(each -> each.server() == 1),
                "a claim was sent to a server with another ledger_id");
    }

    private static void killedClient(World world) throws Exception {
        var gate = world.gate("never");
        Driver driver = world.driver();
        Driver.Given given = driver.give(Job.of("k").until(gate));
        world.await("the action did not run", () -> world.effects(given) == 1);
        boolean named = world.faults.requests("claim").get(0).param("owner") instanceof Map<?, ?> owner
                && owner.get("process") != null;
        if (!driver.kill()) {
            world.open(gate);
            world.expectValue(given, "done");
            return;
        }
        Driver.Given next = world.driver().give(Job.of("k"));
        if (named) {
            world.expect(next, "in_doubt");
        } else {
            world.expect(next, "in_doubt", "in_flight");
        }
        world.expectEffects("k", 1);
    }
}
