package dev.idem.conformance;

import java.util.List;
import java.util.Map;

/** Servers that answer what a client does not know, refuse it, or do not start. */
final class OddServers {
    private static final int MALFORMED = -32602;
    private static final int MISMATCH = -32009;
    private static final Map<String, String> SHORT =
            Map.of("IDEM_RESEND_MS", "300", "IDEM_GIVE_UP_MS", "1500", "IDEM_SETTLE_MS", "20000");

    private OddServers() {}

    static List<Scenario> all() {
        return List.of(
                new Scenario("unknown-members-are-ignored", "the rules for every carrier", OddServers::unknownMembers),
                new Scenario("an-unknown-answer-allows-nothing", Scenario.duty(1), OddServers::unknownAnswer),
                new Scenario("rubbish-allows-nothing", Scenario.duty(1), OddServers::rubbish),
                refused("a-claim-is-refused", "claim", "malformed", MALFORMED),
                refused("the-ledger-is-refused", "hello", "mismatch", MISMATCH),
                new Scenario("the-server-does-not-exist", Scenario.duty(1), world -> {
                    world.serveWith(List.of("/nonexistent/idem", "serve", "--stdio"));
                    nothingRuns(world);
                }),
                new Scenario("the-server-ends-at-once", Scenario.duty(1), world -> {
                    world.serveWith(List.of("/bin/sh", "-c", "echo 'no ledger' >&2; exit 3"));
                    nothingRuns(world);
                }));
    }

    private static void unknownMembers(World world) throws Exception {
        world.faults.all(
                request -> true,
                Fault.changing(result -> result.put("of_a_later_version", Map.of("a", List.of(1, "b")))));
        Driver driver = world.driver();
        world.expectValue(driver.give(Job.of("k")), "done");
        world.expectValue(driver.give(Job.of("k")), "replayed");
        world.expectEffects("k", 1);
    }

    private static void unknownAnswer(World world) throws Exception {
        world.faults.all(
                request -> request.is("claim"), Fault.changing(result -> result.put("answer", "granted_with_care")));
        world.expect(world.driver().give(Job.of("k")), "error", "unavailable");
        world.expectEffects("k", 0);
    }

    private static void rubbish(World world) throws Exception {
        world.faults.all(request -> true, exchange -> {
            String answer = exchange.ask();
            exchange.answer("rubbish");
            exchange.answer("");
            exchange.answer("{\"jsonrpc\":\"2.0\",\"id\":987654321,\"result\":{\"answer\":\"granted\"}}");
            exchange.answer("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32602,\"message\":\"?\"}}");
            exchange.answer(answer);
        });
        Driver.Given given = world.driver(World.QUICK).give(Job.of("k"));
        Driver.Answer answer = world.expect(given, "done", "unavailable", "error");
        world.expectEffects("k", answer.outcome().equals("done") ? 1 : 0);
    }

    private static Scenario refused(String name, String method, String code, int number) {
        return new Scenario(name, "the part on errors", world -> {
            world.faults.all(request -> request.is(method), Fault.error(code, number));
            world.expect(world.driver().give(Job.of("k")), "error");
            world.expectEffects("k", 0);
            world.check(
                    world.faults.requests(method).size() == 1,
                    method + " was sent again after the error " + code + ", which can't help");
        });
    }

    private static void nothingRuns(World world) throws Exception {
        world.expect(world.driver(SHORT).give(Job.of("k")), "unavailable", "error");
        world.check(world.effects().isEmpty(), "the action ran without a server");
    }
}
