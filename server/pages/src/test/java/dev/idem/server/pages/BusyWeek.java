package dev.idem.server.pages;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.State;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Ledger;
import dev.idem.spi.Owner;
import dev.idem.spi.Retention;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Figures.Kind;
import dev.idem.testkit.Race;
import dev.idem.testkit.SettableClocks;
import dev.idem.testkit.Settlements;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Nine days of two servers that write to one ledger at once, and what happened, which is kept beside: calls that fail and
 * run again, doubts, decisions, take-overs, duplicates of running and of ended calls, entries that are purged or forgotten,
 * and a clock that is set.
 */
final class BusyWeek {
    static final List<String> SCOPES =
            List.of("shop", "acme", "acme/a", "acme/b", "acme2/x", "acme/ü ’{}%_\\\"", "shop/" + "w".repeat(200));

    private static final List<String> OPERATIONS = List.of(
            "charge",
            "mail",
            "__proto__",
            "constructor",
            "POST /orders/{id}/pay?a=1&b=%2F#x",
            "a'b\"c\\{=}%_,(1)",
            "Überweisung 💶",
            "x".repeat(200));
    /** Rare ones: with them there are more than a page shows. */
    private static final int RARE = 130;

    private static final int THREADS = 8;
    private static final int ROUNDS = 400;
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final Ledger one;
    private final Ledger other;
    private final SettableClocks clocks;
    private final List<Worker> workers = new ArrayList<>();

    /** A try or a duplicate. */
    static final class Happened {
        final Address at;
        final Instant when;
        Kind kind;
        long millis = -1;

        Happened(Address at, Instant when, Kind kind) {
            this.at = at;
            this.when = when;
            this.kind = kind;
        }
    }

    private record Running(Ledger ledger, Ticket ticket, Happened happened) {}

    BusyWeek(Ledger one, Ledger other, SettableClocks clocks) {
        this.one = one;
        this.other = other;
        this.clocks = clocks;
        for (int i = 0; i < THREADS; i++) {
            workers.add(new Worker(i));
        }
    }

    /** All that happened until now. */
    List<Happened> happened() {
        return workers.stream().flatMap(worker -> worker.happened.stream()).toList();
    }

    /** Fills the ledger with about so many entries, until now. */
    void pass(int entries) {
        Instant end = Instant.now();
        Instant begin = end.minus(Duration.ofDays(9));
        clocks.advance(Duration.between(clocks.now().wall(), begin));
        TreeSet<Instant> edges = new TreeSet<>();
        for (int hours : List.of(23, 24, 7 * 24 - 1, 7 * 24)) {
            // The window of the page may begin an hour later when the page is opened.
            Instant edge = end.minus(Duration.ofHours(hours)).truncatedTo(ChronoUnit.HOURS);
            edges.add(edge.minus(1, ChronoUnit.MICROS));
            edges.add(edge);
        }
        Duration step = Duration.ofDays(9).minusHours(2).dividedBy(ROUNDS);
        int each = Math.max(1, entries / ROUNDS / THREADS);
        Random random = new Random(42);
        for (int round = 0; round < ROUNDS; round++) {
            Instant next = begin.plus(step.multipliedBy(round));
            for (Instant edge : List.copyOf(edges.headSet(next, true))) {
                forwardTo(edge);
                round(Math.min(each, 3));
                edges.remove(edge);
            }
            forwardTo(next);
            boolean calm =
                    edges.isEmpty() || Duration.between(next, edges.first()).compareTo(Duration.ofHours(12)) > 0;
            if (round % 25 == 7 && calm) {
                clocks.stepWall(Duration.ofMinutes(round % 50 == 7 ? -random.nextInt(300) : random.nextInt(40)));
            }
            round(each);
            if (round % 5 == 0) {
                purge();
            }
        }
        forwardTo(clocks.now().wall().plus(Duration.ofHours(1)));
        purge();
        forwardTo(Instant.now());
        round(20);
        // What has not ended yet runs still.
        workers.forEach(worker -> worker.lapse(clocks.now().wall().minus(LEASE)));
        List.of(one, other)
                .forEach(ledger -> ledger.as(Browsable.class).orElseThrow().writeCounts());
    }

    private void forwardTo(Instant time) {
        Duration left = Duration.between(clocks.now().wall(), time);
        clocks.advance(left.isNegative() ? Duration.ofMillis(1) : left);
    }

    private void purge() {
        one.as(Browsable.class).orElseThrow().purge(1_000_000);
    }

    private void round(int each) {
        together(worker -> worker.claim(each));
        clocks.advance(Duration.of(workers.get(0).random.nextInt(20_000_000), ChronoUnit.MICROS));
        together(Worker::settle);
    }

    private void together(Consumer<Worker> work) {
        Race.between(workers.stream()
                .map(worker -> (Callable<Boolean>) () -> {
                    work.accept(worker);
                    return true;
                })
                .toList());
    }

    /** Makes the calls of some keys, which no other thread uses. */
    private final class Worker {
        final Random random;
        final List<Happened> happened = new ArrayList<>();
        private final int number;
        private final List<Address> known = new ArrayList<>();
        /** The newest tries that have not ended. */
        private final Map<Address, Running> open = new HashMap<>();

        private final List<Running> begun = new ArrayList<>();
        private final List<Running> doubted = new ArrayList<>();
        private long attempts;

        Worker(int number) {
            this.number = number;
            this.random = new Random(number);
        }

        void claim(int many) {
            for (int i = 0; i < many; i++) {
                Address fresh = new Address(
                        SCOPES.get(random.nextInt(SCOPES.size())), operation(), number + "-" + known.size());
                known.add(fresh);
                claim(fresh);
                if (i % 2 == 0) {
                    // Often one of the newest.
                    int back = random.nextInt(random.nextBoolean() ? known.size() : Math.min(known.size(), 20));
                    claim(known.get(known.size() - 1 - back));
                }
            }
        }

        private String operation() {
            return random.nextInt(100) == 0
                    ? "rare-" + random.nextInt(RARE)
                    : OPERATIONS.get(Math.min(random.nextInt(OPERATIONS.size()), random.nextInt(OPERATIONS.size())));
        }

        private void claim(Address at) {
            Ledger ledger = random.nextBoolean() ? one : other;
            AttemptId id = new AttemptId(number + 1, ++attempts);
            Claim claim = ledger.claim(ClaimRequest.of(id, at, Fingerprints.NONE, Owner.named("a client"))
                    .withLease(LEASE)
                    .withTimeLimit(Duration.ofMinutes(1))
                    .withTakeOver(random.nextInt(3) == 0 ? TakeOver.RERUN : TakeOver.NONE));
            Instant now = clocks.now().wall();
            if (claim instanceof Claim.Granted granted) {
                ended(at);
                Happened one = new Happened(at, now, Kind.IN_PROGRESS);
                happened.add(one);
                Running running = new Running(ledger, granted.entry().ticket(), one);
                open.put(at, running);
                begun.add(running);
            } else if (claim instanceof Claim.Replay) {
                happened.add(new Happened(at, now, Kind.DUPLICATE));
                if (random.nextInt(50) == 0) {
                    forget(ledger, at);
                }
            } else if (claim instanceof Claim.InDoubt && random.nextBoolean()) {
                Settlement how = random.nextBoolean() ? Settlements.completed("1", kept()) : Settlements.failed(kept());
                if (ledger.resolve(at, claim.entry().fence(), how)) {
                    ended(at);
                }
            } else if (claim.entry().state() != State.IN_PROGRESS && random.nextInt(20) == 0) {
                forget(ledger, at);
            }
        }

        /** What ends without its owner's word was in doubt. */
        private void ended(Address at) {
            Running running = open.remove(at);
            if (running != null) {
                running.happened.kind = Kind.IN_DOUBT;
            }
        }

        private void forget(Ledger ledger, Address at) {
            Entry entry = ledger.find(at).orElse(null);
            if (entry != null && entry.state() != State.IN_PROGRESS && ledger.forget(entry)) {
                ended(at);
            }
        }

        void settle() {
            for (Running running : begun) {
                int how = random.nextInt(20);
                if (how == 0 && random.nextInt(3) > 0) {
                    continue;
                } else if (how < 2) {
                    ended(running, Settlements.doubtful());
                    doubted.add(running);
                } else {
                    ended(running, how < 6 ? Settlements.failed(kept()) : Settlements.completed("1", kept()));
                }
            }
            begun.clear();
            if (!doubted.isEmpty() && random.nextInt(4) == 0) {
                late(doubted.remove(random.nextInt(doubted.size())));
            }
        }

        private void ended(Running running, Settlement how) {
            Settled settled = running.ledger.settle(running.ticket, how);
            if (!(settled instanceof Settled.Recorded recorded)) {
                throw new AssertionError("a running call was not settled: " + settled);
            }
            open.remove(running.happened.at);
            ended(running.happened, recorded.entry().state());
        }

        /** The owner of a doubt hears later that it did happen, unless somebody was faster. */
        private void late(Running running) {
            if (running.ledger.settle(running.ticket, Settlements.completed("1", kept()))
                    instanceof Settled.Recorded recorded) {
                ended(running.happened, recorded.entry().state());
            }
        }

        private void ended(Happened one, State state) {
            one.kind = Kind.ofWord(state.word());
            one.millis = state == State.COMPLETE
                    ? Math.max(
                            0, Duration.between(one.when, clocks.now().wall()).toMillis())
                    : -1;
        }

        void lapse(Instant before) {
            open.values().stream()
                    .filter(running -> !running.happened.when.isAfter(before))
                    .forEach(running -> running.happened.kind = Kind.IN_DOUBT);
        }

        private Retention kept() {
            Duration keep = random.nextBoolean() ? Duration.ofDays(9) : Duration.ofHours(1 + random.nextInt(20));
            return Retention.of(keep).withTombstone(Duration.ofMinutes(random.nextInt(2) * 90L));
        }
    }

    /** What happened since then in some scopes. */
    Stream<Happened> since(Instant since, Predicate<String> scopes) {
        return happened().stream().filter(one -> !one.when.isBefore(since) && scopes.test(one.at.scope()));
    }
}
