package dev.idem.conformance;

import dev.idem.Json;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Another client has the key. */
final class Waits {
    private Waits() {}

    static List<Scenario> all() {
        return List.of(
                new Scenario("in-flight-without-a-wait", Scenario.duty(10), Waits::withoutWait),
                new Scenario("a-waiter-gets-the-result", Scenario.duty(10), Waits::result),
                new Scenario("in-flight-without-a-fence", Scenario.duty(10), Waits::withoutFence),
                ends("a-waiter-gets-the-failure", "failed"),
                ends("a-waiter-gets-the-doubt", "in_doubt"),
                new Scenario("the-server-dies-during-a-wait", Scenario.duty(10), Waits::deathDuringWait));
    }

    private static void withoutWait(World world) throws Exception {
        world.otherClaim("k", "");
        world.expect(world.driver().give(Job.of("k")), "in_flight");
        world.expectEffects("k", 0);
    }

    private static Driver.Given waiter(World world, Map<String, @Nullable Object> granted) throws Exception {
        Driver.Given waiter = world.driver().give(Job.of("k").with("wait_ms", 60_000));
        world.await(
                "no wait with the fence " + granted.get("fence") + " was sent",
                () -> world.faults.requests("wait").stream()
                        .anyMatch(each -> String.valueOf(granted.get("fence")).equals(each.param("fence"))));
        return waiter;
    }

    private static void result(World world) throws Exception {
        Map<String, @Nullable Object> granted = world.otherClaim("k", "'repeat':'run'");
        // A wait ends before the attempt that it waits for.
        world.faults.next(
                "wait",
                exchange -> exchange.answer(exchange.with("at_most_ms", 0).ask()));
        Driver.Given waiter = waiter(world, granted);
        world.await(
                "after the answer in_flight there was no other wait",
                () -> world.faults.requests("wait").size() > 1);
        world.otherSettle(granted, "'as':'complete','result':'theirs'");
        world.expectTheirs(waiter, "theirs", "replayed");
        world.expectEffects("k", 0);
        List<Request> claims = world.faults.requests("claim");
        world.check(
                claims.size() > 1
                        && Boolean.TRUE.equals(claims.get(claims.size() - 1).param("waited")),
                "the claim after a wait had no \"waited\":true");
    }

    /** Nothing can be waited for, so the client claims again. */
    private static void withoutFence(World world) throws Exception {
        world.faults.next(
                "claim",
                exchange -> exchange.answer(Json.writePlain(Map.of(
                        "jsonrpc",
                        "2.0",
                        "id",
                        Objects.requireNonNull(exchange.request().id()),
                        "result",
                        Map.of(
                                "answer",
                                "in_flight",
                                "key",
                                "k",
                                "retry_after_ms",
                                100,
                                "message",
                                "?",
                                "for_model",
                                "?")))));
        world.expectValue(world.driver().give(Job.of("k").with("wait_ms", 60_000)), "done");
        world.expectEffects("k", 1);
        world.check(world.faults.requests("wait").isEmpty(), "a wait was sent without a fence");
        List<Request> claims = world.faults.requests("claim");
        world.check(
                !Objects.equals(claims.get(0).param("attempt_id"), claims.get(1).param("attempt_id")),
                Scenario.duty(2),
                "a claim that was answered was repeated with its attempt id");
    }

    private static Scenario ends(String name, String as) {
        return new Scenario(name, Scenario.duty(10), world -> {
            Map<String, @Nullable Object> granted = world.otherClaim("k", "");
            Driver.Given waiter = waiter(world, granted);
            world.otherSettle(granted, "'as':'" + as + "'");
            world.expect(waiter, as);
            world.expectEffects("k", 0);
        });
    }

    private static void deathDuringWait(World world) throws Exception {
        Map<String, @Nullable Object> granted = world.otherClaim("k", "");
        Driver.Given waiter = waiter(world, granted);
        world.server().die();
        world.otherSettle(granted, "'as':'complete','result':'theirs'");
        Driver.Answer answer = world.expect(waiter, "replayed", "in_flight", "unavailable");
        world.check(
                !answer.outcome().equals("replayed") || "theirs".equals(answer.value()),
                "the waiter got " + answer.line());
        world.expectEffects("k", 0);
    }
}
