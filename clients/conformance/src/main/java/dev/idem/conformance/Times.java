package dev.idem.conformance;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A grant comes late. The client is told a short lease or limit; in the ledger both are long, so that a slow machine
 * changes nothing.
 */
final class Times {
    private static final long TOLD = 2000;
    private static final Duration LATE = Duration.ofMillis(TOLD + 300);
    private static final long TIME_LIMIT = 300_000;

    private Times() {}

    static List<Scenario> all() {
        return List.of(
                new Scenario("the-lease-is-over-before-the-action", Scenario.duty(5), Times::leaseOver),
                new Scenario("the-lease-counts-from-the-answered-copy", Scenario.duty(4), Times::laterCopiesAreLost),
                new Scenario("a-renewal-before-the-action-is-not-answered", Scenario.duty(5), Times::unanswered),
                new Scenario("the-ticket-is-lost-before-the-action", Scenario.duty(5), Times::lost),
                new Scenario("the-limit-is-over-before-the-action", Scenario.duty(5), Times::limitOver),
                new Scenario("the-limit-counts-from-the-first-claim", Scenario.duty(4), Times::limitFromFirst));
    }

    /** Answers a claim when the time that the client is told is over. */
    private static Fault late(String member, AtomicReference<@Nullable Object> ticket, Runnable before) {
        return exchange -> {
            String answer = exchange.ask();
            ticket.set(GivingUp.ticket(answer));
            before.run();
            pauseUntil(exchange.request().at() + LATE.toNanos());
            exchange.answer(told(answer, member));
        };
    }

    private static void pauseUntil(long nanos) {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    @SuppressWarnings("unchecked")
    private static String told(String answer, String member) {
        return Fault.changed(answer, result -> {
            result.put(member, TOLD);
            if (result.get("policy") instanceof Map<?, ?> policy) {
                Map<String, @Nullable Object> changed = new LinkedHashMap<>((Map<String, @Nullable Object>) policy);
                changed.put(member, TOLD);
                result.put("policy", changed);
            }
        });
    }

    private static void leaseOver(World world) throws Exception {
        leaseOver(world, World.PATIENT);
    }

    /** Copies of the claim are sent until just before its answer, and none of them is answered. */
    private static void laterCopiesAreLost(World world) throws Exception {
        leaseOver(world, World.QUICK);
    }

    private static void leaseOver(World world, Map<String, String> limits) throws Exception {
        AtomicReference<@Nullable Object> ticket = new AtomicReference<>();
        AtomicInteger before = new AtomicInteger();
        world.faults.next("claim", late("lease_ms", ticket, () -> {}));
        world.faults.all(request -> request.is("claim"), Fault.LOSE_ANSWER);
        world.faults.next("renew", exchange -> {
            String answer = exchange.ask();
            Thread.sleep(100);
            before.set(world.effects().size());
            exchange.answer(answer);
        });
        Driver.Given given = world.driver(limits).give(Job.of("k"));
        world.expectValue(given, "done");
        List<Request> renewals = world.faults.requests("renew");
        world.check(
                !renewals.isEmpty() && renewals.get(0).names(ticket.get()),
                Scenario.duty(4),
                "the action ran without a renew although the lease was over, counted from the claim");
        world.check(before.get() == 0, "the action ran before its renew was answered");
        world.expectEffects("k", 1);
        leftIsRight(world, renewals.get(0), LATE);
    }

    /** Each ticket has at most the time that is left to its limit. */
    static void leftIsRight(World world, Request renew, Duration atLeast) throws Violation {
        for (Object each : (List<?>) renew.params().getOrDefault("tickets", List.of())) {
            Object left = ((Map<?, ?>) each).get("left_ms");
            world.check(
                    left instanceof Long millis && millis > 0 && millis <= TIME_LIMIT - atLeast.toMillis(),
                    Scenario.duty(6),
                    "a renew had left_ms " + left + " although the claim was sent at least " + atLeast.toMillis()
                            + " ms before, and its limit is " + TIME_LIMIT + " ms");
        }
    }

    private static void unanswered(World world) throws Exception {
        AtomicReference<@Nullable Object> ticket = new AtomicReference<>();
        AtomicInteger before = new AtomicInteger();
        world.faults.next("claim", late("lease_ms", ticket, () -> {}));
        world.faults.all(request -> request.is("claim"), Fault.LOSE_ANSWER);
        world.faults.next(2, "renew", exchange -> {
            String answer = exchange.ask();
            exchange.answer(Fault.changed(
                    answer, result -> result.put("tickets", List.of(Map.of("answer", "unanswered")))));
            Thread.sleep(100);
            before.set(world.effects().size());
        });
        Driver.Given given = world.driver().give(Job.of("k"));
        Driver.Answer answer = given.answer();
        world.check(
                world.faults.requests("renew").size() > 2 || world.effects(given) == 0,
                "the action ran although its renew was unanswered");
        world.check(before.get() == 0, "the action ran although its renew was unanswered");
        world.expectEffects("k", answer.outcome().equals("done") ? 1 : 0);
    }

    /** While the grant is on its way, its attempt ends, and another client takes the key. */
    private static void lost(World world) throws Exception {
        AtomicReference<@Nullable Object> ticket = new AtomicReference<>();
        CompletableFuture<Map<String, @Nullable Object>> taken = new CompletableFuture<>();
        world.faults.next("claim", late("lease_ms", ticket, () -> {
            taken.complete(world.takeOver("k", ticket.get()));
        }));
        Driver.Given given = world.driver().give(Job.of("k"));
        Driver.Answer answer = world.expect(given, "in_flight", "unavailable", "stale", "failed", "error");
        world.check(world.effects(given) == 0, "the action ran with a ticket that was lost");
        world.check(
                world.faults.requests("settle").stream().noneMatch(each -> each.names(ticket.get())),
                Scenario.duty(7),
                "a ticket that was lost before the action was settled, and the outcome was " + answer.line());
        world.otherSettle(taken.join(), "'as':'complete'");
    }

    private static void limitOver(World world) throws Exception {
        AtomicReference<@Nullable Object> ticket = new AtomicReference<>();
        world.faults.next("claim", late("time_limit_ms", ticket, () -> {}));
        world.faults.all(request -> request.is("claim"), Fault.LOSE_ANSWER);
        nothingRan(world, world.driver().give(Job.of("k")), ticket);
    }

    private static void nothingRan(World world, Driver.Given given, AtomicReference<@Nullable Object> ticket)
            throws Exception {
        Driver.Answer answer = given.answer();
        world.check(world.effects(given) == 0, "the action ran although its time limit was over");
        world.await(
                "a grant whose limit was over was not settled as failed",
                () -> world.faults.requests("settle").stream()
                        .anyMatch(each -> each.names(ticket.get()) && "failed".equals(each.param("as"))));
        world.check(answer.outcome().equals("failed"), "the outcome was " + answer.line() + " instead of failed");
    }

    /** The copy of the claim that is answered was sent just before; the first one was not. */
    private static void limitFromFirst(World world) throws Exception {
        AtomicReference<@Nullable Object> ticket = new AtomicReference<>();
        world.faults.all(request -> request.is("claim"), exchange -> {
            String answer = exchange.ask();
            long first = world.faults.requests("claim").get(0).at();
            if (exchange.request().at() - first > LATE.toNanos()) {
                ticket.set(GivingUp.ticket(answer));
                exchange.answer(told(answer, "time_limit_ms"));
            }
        });
        nothingRan(world, world.driver(World.QUICK).give(Job.of("k")), ticket);
    }
}
