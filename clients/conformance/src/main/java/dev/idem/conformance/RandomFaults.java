package dev.idem.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/** Two clients make the same calls, while messages and servers are lost at random. */
final class RandomFaults {
    private static final int KEYS = 8;
    private static final int BUSY = -32029;
    private static final int LEDGER_UNAVAILABLE = -32053;

    private RandomFaults() {}

    static List<Scenario> all() {
        return List.of(new Scenario(
                "random-faults",
                "duties 1 to 7",
                world -> run(
                        world,
                        Long.getLong("idem.seed", ThreadLocalRandom.current().nextLong(1_000_000)))));
    }

    private static void run(World world, long seed) throws Exception {
        Random random = new Random(seed);
        world.faults.all(request -> !request.is("hello") && !request.is("wait"), exchange -> {
            int number;
            synchronized (random) {
                number = random.nextInt(100);
            }
            fault(number).handle(exchange);
        });
        String with = " (random faults of -Didem.seed=" + seed + ")";
        List<Driver> drivers = List.of(world.driver(World.QUICK), world.driver(World.QUICK));
        List<Driver.Given> all = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
            for (Driver each : drivers) {
                all.add(each.give(Job.of("k" + i).with("wait_ms", 60_000)));
            }
        }
        for (Driver.Given each : all) {
            Driver.Answer answer = world.expect(each, "done", "replayed", "in_flight", "unavailable");
            boolean ended = List.of("done", "replayed").contains(answer.outcome());
            world.check(
                    !ended || Objects.equals(each.job.value(), answer.value()),
                    "the outcome was " + answer.line() + with);
        }
        world.faults.clear();
        for (int i = 0; i < KEYS; i++) {
            Job job = Job.of("k" + i).with("wait_ms", 60_000);
            world.expectValue(world.giveUntilAvailable(drivers.get(0), job), "done", "replayed");
            long ran = world.effects(job.key());
            world.check(ran == 1, "the action of " + job.key() + " ran " + ran + " times" + with);
        }
    }

    private static Fault fault(int number) {
        if (number < 6) {
            return Fault.LOSE_REQUEST;
        } else if (number < 14) {
            return Fault.LOSE_ANSWER;
        } else if (number < 17) {
            return Fault.DIE_BEFORE;
        } else if (number < 20) {
            return Fault.DIE_AFTER;
        } else if (number < 23) {
            return Fault.error("busy", BUSY);
        } else if (number < 28) {
            return Fault.errorAfter("ledger_unavailable", LEDGER_UNAVAILABLE);
        } else if (number < 34) {
            return exchange -> {
                String answer = exchange.ask();
                Thread.sleep(number * 20L);
                exchange.answer(answer);
                exchange.answer(answer);
            };
        }
        return Fault.NONE;
    }
}
