package dev.idem.torture.worker;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.LedgerUnavailableException;
import dev.idem.Operation;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.Probe;
import dev.idem.Resolution;
import dev.idem.State;
import dev.idem.spi.Transactional;
import dev.idem.torture.check.Line;
import dev.idem.torture.check.Promise;
import dev.idem.torture.check.Token;
import dev.idem.torture.world.WorldClient;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Makes one call after another, and reports each call and its answer to the world. */
final class Caller {
    private final Idem idem;
    private final WorldClient world;
    private final Orders orders;
    private final String name;
    private final Random random;
    private final boolean transactional;
    private int calls;

    Caller(Idem idem, WorldClient world, Orders orders, int thread) {
        this.idem = idem;
        this.world = world;
        this.orders = orders;
        this.name = orders.name() + "." + thread;
        this.transactional = idem.ledger().as(Transactional.class).isPresent();
        this.random = new Random(orders.seed() ^ name.hashCode() * 0x9E3779B97F4A7C15L);
    }

    void next() {
        Script script = Script.any(random, orders, Duration.ofNanos(System.nanoTime() - orders.start()));
        if (script.kind() == Kind.FORGOTTEN && random.nextInt(6) == 0) {
            new Forgetter(idem, world).lookAt(script.address(), name + "." + ++calls);
        } else if (script.kind().resolvable() && random.nextInt(50) == 0) {
            new Person(idem, world).lookAt(script.address(), name + "." + ++calls);
        } else if (script.kind() != Kind.TRANSACTED || transactional) {
            call(script);
        }
    }

    /** Makes the call and throws the exception of its action, because an outer action needs it. */
    private void called(Script script) throws Exception {
        Outcome<String> outcome = call(script);
        Throwable why = outcome == null ? new Acting.LostAnswer("no outcome") : outcome.failure();
        if (why instanceof Exception exception) {
            throw exception;
        }
    }

    private @Nullable Outcome<String> call(Script script) {
        String id = name + "." + ++calls;
        String address = script.address().toString();
        Answers answers = new Answers(id, address, script.promises(), orders.replay());
        Acting acting = new Acting(world, id, address, script);
        world.say(new Line.Asked(id, address, script.identity(), script.promises()));
        try {
            Outcome<String> outcome = attempt(script, acting, operation(script, id, address));
            world.say(answers.of(outcome, acting.fence()));
            return outcome;
        } catch (UncheckedIOException e) {
            // The world has ended, so this worker ends too.
            throw e;
        } catch (RuntimeException | Error e) {
            world.say(answers.thrown(e));
            return null;
        }
    }

    private Outcome<String> attempt(Script script, Acting acting, Operation<String> operation) {
        Acting.Steps steps = script.kind() == Kind.NESTED
                ? () -> {
                    called(script.inner("a", random));
                    called(script.inner("b", random));
                }
                : () -> {};
        if (script.kind() == Kind.TRANSACTED) {
            return operation.inTransaction(Connection.class).attempt(acting::write);
        }
        if (script.kind() == Kind.PREPARED) {
            boolean refused = random.nextInt(20) == 0;
            return operation
                    .prepare(() -> {
                        if (refused) {
                            throw new Acting.LostAnswer("in vain, but before anything was done");
                        }
                        return script.key();
                    })
                    .attempt((call, prepared) -> acting.act(call, steps));
        }
        return operation.attempt(call -> acting.act(call, steps));
    }

    private Operation<String> operation(Script script, String id, String address) {
        Operation<String> operation = idem.operation(script.kind().word())
                .scope(script.scope())
                .key(script.key())
                .identity(Map.of("of", script.identity()))
                .label("kind", script.kind().word())
                .returning(String.class)
                .policy(Policy.unset()
                        .lease(script.lease())
                        .timeLimit(script.limit())
                        .waitFor(script.patience())
                        .retention(script.retention())
                        .definiteOn(IllegalArgumentException.class));
        operation = switch (script.kind()) {
            case DESTRUCTIVE -> operation.policy(Policy.destructive());
            case IDEMPOTENT, NESTED -> operation.policy(Policy.idempotent());
            case TOMBSTONED -> operation.policy(Policy.unset().tombstone(Duration.ofDays(1)));
            case KEEPING -> operation.policy(Policy.unset().keepFailures());
            case RERUN, MIXED ->
                script.promises().contains(Promise.SAFE)
                        ? operation.policy(Policy.unset().rerunOnDoubt())
                        : operation;
            default -> operation;
        };
        if (script.promises().contains(Promise.STAGED)) {
            operation = operation.policy(Policy.unset().staged());
        }
        return script.promises().contains(Promise.PROBE)
                ? operation.probe(doubted -> probe(id, address, doubted))
                : operation;
    }

    private Probe.Verdict<String> probe(String id, String address, Entry doubted) {
        if (random.nextInt(8) == 0) {
            return Probe.Verdict.unknown();
        }
        return world.probe(id, address, doubted.fence().number())
                .map(token -> Probe.Verdict.happened(Token.parse(token).value()))
                .orElseGet(Probe.Verdict::notExecuted);
    }

    /** Forgets an entry, whatever its state. */
    private record Forgetter(Idem idem, WorldClient world) {

        void lookAt(Address address, String call) {
            try {
                Entry entry = idem.find(address).orElse(null);
                if (entry != null) {
                    long fence = entry.fence().number();
                    world.say(new Line.Forgetting(call, address.toString(), fence));
                    boolean done = idem.forget(entry);
                    boolean knowing = entry.state() == State.COMPLETE;
                    world.say(new Line.Forgot(call, address.toString(), fence, knowing, done));
                }
            } catch (LedgerUnavailableException e) {
                // It is unknown whether the entry was forgotten.
            }
        }
    }

    /** A person who finds out the outcome of an entry in doubt, and resolves it. */
    private record Person(Idem idem, WorldClient world) {

        void lookAt(Address address, String call) {
            try {
                Entry entry = idem.find(address).orElse(null);
                if (entry != null && entry.state() == State.IN_DOUBT) {
                    resolve(entry, call);
                }
            } catch (LedgerUnavailableException e) {
                // A later check will resolve it.
            }
        }

        /** Asks with its own fence, above all that could still act: the world will refuse those. */
        private void resolve(Entry entry, String call) {
            Resolution resolution = idem.resolve(entry).by("a person").because("the world was asked");
            String token = world.probe(
                            call, entry.address().toString(), entry.fence().number() + 1)
                    .orElse(null);
            // If nothing is written, the entry was settled or taken over meanwhile, which is fine.
            if (token == null) {
                resolution.asFailed();
            } else {
                resolution.asComplete(Token.parse(token).value());
            }
        }
    }
}
