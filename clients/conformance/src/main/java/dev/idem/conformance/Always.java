package dev.idem.conformance;

import dev.idem.Json;
import dev.idem.spi.ProcessRef;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What holds in every scenario, by the requests and effects of the whole. */
final class Always {
    private static final Pattern ATTEMPT_ID = Pattern.compile("[0-9a-fA-F]{32}");

    private Always() {}

    static void check(World world) throws Violation {
        List<Request> requests = world.faults.requests();
        Set<Integer> greeted = new HashSet<>();
        Map<Object, String> calls = new HashMap<>();
        Map<Object, String> settled = new HashMap<>();
        for (Request each : requests) {
            world.check(
                    !greeted.add(each.server()) || each.is("hello"),
                    "the part on carriers",
                    "the first request to a server was " + each.method() + " instead of hello");
            switch (each.method()) {
                case "hello" -> hello(world, each);
                case "claim" -> claim(world, each, calls);
                case "settle" -> settle(world, each, settled);
                default -> {}
            }
        }
        effects(world);
    }

    private static void hello(World world, Request hello) throws Violation {
        world.check(
                Long.valueOf(1).equals(hello.param("protocol")),
                "the part on hello",
                "hello has the protocol " + hello.param("protocol") + " instead of 1");
        ledger(world, hello);
    }

    private static void ledger(World world, Request request) throws Violation {
        world.check(
                world.url().equals(request.param("ledger")),
                Scenario.duty(11),
                "a " + request.method() + " had the ledger " + request.param("ledger") + " instead of " + world.url());
    }

    private static void claim(World world, Request claim, Map<Object, String> calls) throws Violation {
        ledger(world, claim);
        Object id = claim.param("attempt_id");
        world.check(
                id instanceof String text && ATTEMPT_ID.matcher(text).matches(),
                Scenario.duty(2),
                "a claim had the attempt id " + id + " instead of 32 hex digits");
        String call = Json.write(List.of(
                text(claim.param("scope")),
                text(claim.param("operation")),
                text(claim.param("key")),
                text(claim.param("identity")),
                text(claim.param("content")),
                text(claim.param("waited"))));
        String before = calls.putIfAbsent(String.valueOf(id), call);
        world.check(
                before == null || before.equals(call),
                Scenario.duty(2),
                "two claims had the attempt id " + id + ": " + before + " and " + call);
        if (claim.param("owner") instanceof Map<?, ?> owner && owner.get("process") instanceof Map<?, ?> process) {
            owner(world, process);
        }
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : Json.write(value);
    }

    /** The owner is the driver, or a process that it has started, and lives. */
    private static void owner(World world, Map<?, ?> process) throws Violation {
        if (!(process.get("pid") instanceof Long pid)) {
            return;
        }
        Optional<ProcessRef> known = world.host.process(pid);
        if (known.isPresent()) {
            world.check(
                    known.get().host().equals(process.get("host"))
                            && Long.valueOf(known.get().start()).equals(process.get("start")),
                    "the part on the owner",
                    "the owner was " + process + " instead of " + known.get());
        }
        boolean own = world.drivers().stream().anyMatch(each -> isOrHas(each.pid(), pid));
        boolean gone = ProcessHandle.of(pid).isEmpty();
        world.check(own || gone, "the part on the owner", "the owner " + process + " is not the process of the client");
    }

    private static boolean isOrHas(long driver, long pid) {
        return driver == pid
                || ProcessHandle.of(driver).stream()
                        .flatMap(ProcessHandle::descendants)
                        .anyMatch(each -> each.pid() == pid);
    }

    private static void settle(World world, Request settle, Map<Object, String> settled) throws Violation {
        String how = settle.param("as") + " " + text(settle.param("result"));
        String before = settled.put(String.valueOf(settle.param("ticket")), how);
        world.check(
                before == null || before.equals(how) || settle.param("unavailable") != null,
                Scenario.duty(7),
                "a ticket was settled as " + before + ", and then as " + how);
    }

    /** The lines of the effects are whole, and each action ran once at most. */
    private static void effects(World world) throws Violation {
        Set<String> ran = new HashSet<>();
        for (String line : world.effects()) {
            String[] parts = line.split(" ", -1);
            world.check(
                    parts.length == 2 && !parts[1].isEmpty(),
                    "the conformance section",
                    "the effects have the line '" + line + "' instead of a name and a key");
            world.check(ran.add(parts[0]), Scenario.duty(1), "the action of one call ran twice: " + line);
        }
    }
}
