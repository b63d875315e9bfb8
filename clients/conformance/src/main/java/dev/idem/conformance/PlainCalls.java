package dev.idem.conformance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Calls to a server without faults. */
final class PlainCalls {
    private PlainCalls() {}

    static List<Scenario> all() {
        return List.of(
                new Scenario("runs-once-and-replays", Scenario.duty(1), PlainCalls::runsOnce),
                new Scenario("attempt-ids-are-random", Scenario.duty(2), PlainCalls::randomIds),
                new Scenario("values-are-kept", "the part on settle", PlainCalls::values),
                new Scenario("the-key-may-be-derived", "the part on claim", PlainCalls::derivedKey),
                new Scenario("a-definite-error-is-failed", Scenario.duty(8), PlainCalls::definiteError),
                new Scenario("any-other-error-is-in-doubt", Scenario.duty(8), PlainCalls::otherError),
                new Scenario("another-identity-is-a-conflict", Scenario.duty(12), PlainCalls::conflict),
                new Scenario("calls-share-only-what-is-equal", Scenario.duty(12), PlainCalls::sharing),
                new Scenario("same-calls-at-once-run-once", Scenario.duty(10), PlainCalls::sameCalls),
                new Scenario("answers-come-in-any-order", "the part on carriers", PlainCalls::anyOrder),
                new Scenario("reads-need-no-claim", Scenario.duty(14), PlainCalls::reads),
                new Scenario("approvals-are-awaited", "the part on claim", PlainCalls::approvals),
                new Scenario("a-kept-failure-is-not-run-again", "the part on claim", PlainCalls::keptFailure),
                new Scenario("an-expired-result-is-not-run-again", "the part on claim", PlainCalls::expired));
    }

    static Scenario installed(String idem) {
        return new Scenario("installed-server", Scenario.duty(1), world -> {
            world.serveWith(List.of(idem, "serve", "--stdio", "--ledger", world.url()));
            runsOnce(world);
        });
    }

    private static void runsOnce(World world) throws Exception {
        Driver driver = world.driver();
        world.expectValue(driver.give(Job.of("k")), "done");
        world.expectValue(driver.give(Job.of("k")), "replayed");
        world.expectValue(world.driver().give(Job.of("k")), "replayed");
        world.expectEffects("k", 1);
        List<Object> ids = attemptIds(world);
        world.check(
                ids.stream().distinct().count() == ids.size(),
                Scenario.duty(2),
                "the claims of three calls had the attempt ids " + ids);
    }

    private static List<@Nullable Object> attemptIds(World world) {
        return new ArrayList<>(world.faults.requests("claim").stream()
                .map(each -> each.param("attempt_id"))
                .toList());
    }

    /** The same call in two processes, which both are granted. */
    private static void randomIds(World world) throws Exception {
        world.expectValue(world.driver().give(Job.of("k")), "done");
        forget(world, "k");
        world.expectValue(world.driver().give(Job.of("k")), "done");
        List<Object> ids = attemptIds(world);
        world.check(
                ids.size() == 2 && !ids.get(0).equals(ids.get(1)),
                "the same call in two processes had the attempt ids " + ids + ", which must be two random ones");
    }

    /** Removes the entry of a key, as a person does. */
    static void forget(World world, String key) {
        Map<?, ?> entry =
                (Map<?, ?>) world.other("find", "{" + World.address(key) + "}").get("entry");
        if (entry != null) {
            world.other(
                    "forget",
                    "{" + World.address(key) + ",'fence':'" + entry.get("fence") + "','state':'" + entry.get("state")
                            + "','who':'ann','why':'a scenario','request_id':'scenario-" + key + "'}");
        }
    }

    private static void values(World world) throws Exception {
        Driver driver = world.driver();
        List<@Nullable Object> values = Arrays.asList(
                null,
                true,
                0,
                -17,
                0.5,
                "",
                "Zoë 漢 \uD83D\uDE80 \"\\\n",
                List.of(1, List.of()),
                Map.of("a", Map.of("b", List.of())));
        for (int i = 0; i < values.size(); i++) {
            Job job = Job.of("v" + i).returning(values.get(i));
            world.expectValue(driver.give(job), "done");
            world.expectValue(driver.give(job), "replayed");
            world.expectEffects(job.key(), 1);
        }
    }

    private static void derivedKey(World world) throws Exception {
        Map<String, Object> identity = Map.of("customer", "cus_1", "cents", 4200);
        Job job = Job.of("").with("key", null).with("identity", identity);
        Object key = world.other(
                        "key",
                        "{'scope':'conformance','operation':'charge','identity':{'customer':'cus_1','cents':4200}}")
                .get("key");
        Driver driver = world.driver();
        world.expectValue(driver.give(job), "done");
        world.expectValue(driver.give(job), "replayed");
        world.expectEffects(String.valueOf(key), 1);
    }

    private static void definiteError(World world) throws Exception {
        Driver driver = world.driver();
        world.expect(driver.give(Job.of("k").throwing("definite_error")), "failed");
        world.check(world.state("k").equals("failed"), "after a definite error the entry was " + world.state("k"));
        world.expectValue(driver.give(Job.of("k")), "done");
        world.expectEffects("k", 2);
    }

    private static void otherError(World world) throws Exception {
        Driver driver = world.driver();
        world.expect(driver.give(Job.of("k").throwing("other_error")), "in_doubt");
        world.check(
                world.state("k").equals("in_doubt"),
                "after an error that proves nothing the entry was " + world.state("k"));
        world.expect(driver.give(Job.of("k")), "in_doubt");
        world.expectEffects("k", 1);
    }

    private static void conflict(World world) throws Exception {
        Driver driver = world.driver();
        world.expectValue(driver.give(Job.of("k")), "done");
        world.expect(driver.give(Job.of("k").with("identity", Map.of("key", "another"))), "conflict");
        world.expectEffects("k", 1);
    }

    /** While a call runs, the same process makes others that are alike, but not equal. */
    private static void sharing(World world) throws Exception {
        Driver driver = world.driver();
        var gate = world.gate("first");
        Job job =
                Job.of("k").with("content", Map.of("text", "hello")).until(gate).policy("reworded", "conflict");
        Driver.Given first = driver.give(job);
        world.await("the action did not run", () -> world.effects(first) == 1);
        Job waiting = job.with("wait_ms", 60_000);
        world.expect(driver.give(waiting.with("identity", Map.of("key", "another"))), "conflict");
        world.expect(driver.give(waiting.with("content", Map.of("text", "other words"))), "conflict");
        Job elsewhere = Job.of("k").with("scope", "elsewhere").returning("its own");
        world.expectValue(driver.give(elsewhere), "done");
        Job another = Job.of("k").with("operation", "refund").returning("its own too");
        world.expectValue(driver.give(another), "done");
        Driver.Given equal = driver.give(waiting);
        world.open(gate);
        world.expectValue(first, "done");
        world.expectValue(equal, "done", "replayed");
        world.expectEffects("k", 3);
    }

    private static void sameCalls(World world) throws Exception {
        var gate = world.gate("all");
        Job job = Job.of("k").with("wait_ms", 60_000).until(gate);
        List<Driver.Given> all = new ArrayList<>();
        for (Driver driver : List.of(world.driver(), world.driver())) {
            for (int i = 0; i < 6; i++) {
                all.add(driver.give(job));
            }
        }
        world.await("the action did not run", () -> world.effects("k") > 0);
        world.open(gate);
        for (Driver.Given each : all) {
            world.expectValue(each, "done", "replayed");
        }
        world.expectEffects("k", 1);
    }

    private static void anyOrder(World world) throws Exception {
        world.faults.all(request -> !request.is("hello"), exchange -> {
            String answer = exchange.ask();
            Thread.sleep(ThreadLocalRandom.current().nextInt(60));
            exchange.answer(answer);
        });
        Driver driver = world.driver();
        List<Driver.Given> all = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            all.add(driver.give(Job.of("k" + i)));
        }
        for (Driver.Given each : all) {
            world.expectValue(each, "done");
            world.expectEffects(each.job.key(), 1);
        }
    }

    private static void reads(World world) throws Exception {
        Driver driver = world.driver();
        Job read = Job.of("k").policy("side_effect", "read");
        world.expectValue(driver.give(read), "done");
        world.expectValue(driver.give(read), "done");
        world.check(
                world.effects().size() == 2, "two reads ran " + world.effects().size() + " times");
        world.check(world.faults.requests("claim").isEmpty(), "a read was claimed");
    }

    private static void approvals(World world) throws Exception {
        Driver driver = world.driver();
        for (String decision : List.of("approve", "deny")) {
            Job job = Job.of(decision).policy("approval", true).with("arguments", Map.of("cents", 4200));
            world.expect(driver.give(job), "held");
            world.expectEffects(decision, 0);
            Object approval = approval(world);
            String why = decision.equals("deny") ? ",'why':'too dear'" : "";
            world.other("approvals." + decision, "{'approval':'" + approval + "','who':'ann'" + why + "}");
            world.expect(driver.give(job), decision.equals("deny") ? "denied" : "done");
            world.expectEffects(decision, decision.equals("deny") ? 0 : 1);
        }
    }

    private static @Nullable Object approval(World world) {
        return world.other("approvals.list", "{}").get("approvals") instanceof List<?> waiting
                        && waiting.get(0) instanceof Map<?, ?> first
                ? first.get("approval")
                : null;
    }

    private static void keptFailure(World world) throws Exception {
        world.otherSettle(world.otherClaim("k", "'keep_failures':true"), "'as':'failed'");
        world.expect(world.driver().give(Job.of("k").policy("keep_failures", true)), "failed");
        world.expectEffects("k", 0);
    }

    private static void expired(World world) throws Exception {
        world.otherSettle(world.otherClaim("k", "'retention':'1ms','tombstone':'1h'"), "'as':'complete'");
        Thread.sleep(5);
        world.expect(world.driver().give(Job.of("k")), "expired");
        world.expectEffects("k", 0);
    }
}
