package dev.idem.jsonl;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Failure;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Mark;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import dev.idem.testkit.SettableClocks;
import dev.idem.testkit.SettableProcesses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/** A ledger on a disk that can be cut off, and what happens to it, by chance but the same for each seed. */
final class RandomLife {
    private static final JsonlOptions OPTIONS =
            JsonlOptions.at(Path.of("/ledgers/idem.jsonl")).withCompactFrom(6_000);
    private static final int KEYS = 5;

    private final Random random;
    private final CuttableDisk disk;
    private final SettableClocks clocks = new SettableClocks();
    private final List<Map<String, Entry>> states = new ArrayList<>();
    private TestLedger ledger;
    private long compactions;
    private long compactionsBefore;

    RandomLife(long seed, CuttableDisk disk) {
        this.random = new Random(seed);
        this.disk = disk;
    }

    void open() {
        compactionsBefore = compactions;
        ledger = Fixtures.on(disk, OPTIONS, new LedgerContext(clocks, new SettableProcesses()));
    }

    TestLedger ledger() {
        return ledger;
    }

    /** The entries after each step, beginning before the first one. */
    List<Map<String, Entry>> states() {
        return states;
    }

    /** How many compactions there were. */
    long compactions() {
        return compactions;
    }

    /** Everything that is there now, without how often it has answered. */
    Map<String, Entry> state() {
        Map<String, Entry> all = new TreeMap<>();
        for (int i = 0; i < KEYS; i++) {
            String key = "k" + i;
            ledger.find(Fixtures.address(key)).ifPresent(entry -> all.put(key, entry.withReplays(0)));
        }
        return all;
    }

    /** Goes on until the steps are made, or until the disk fails. */
    void live(int steps) {
        states.add(state());
        for (int i = 0; i < steps; i++) {
            step(i);
            states.add(state());
            compactions = compactionsBefore + ledger.file().compaction().count();
        }
    }

    private void step(int number) {
        String key = "k" + random.nextInt(KEYS);
        Optional<Entry> found = ledger.find(Fixtures.address(key));
        int choice = random.nextInt(20);
        if (choice == 0) {
            clocks.advance(random.nextBoolean() ? Duration.ofMinutes(1) : Duration.ofDays(3));
        } else if (choice == 1) {
            ledger.browsable().purge(100);
        } else if (choice == 2 && found.isPresent()) {
            ledger.forget(found.get());
        } else if (choice == 3 && found.isPresent()) {
            ledger.resolve(found.get().address(), found.get().fence(), completed());
        } else if (choice == 4) {
            ledger.close();
            open();
        } else if (found.isPresent() && found.get().state() == State.IN_PROGRESS) {
            goOn(found.get(), choice);
        } else {
            ledger.claim(Fixtures.request(key, new AttemptId(7, number))
                    .withStaged(choice % 2 == 0)
                    .withTakeOver(TakeOver.RERUN));
        }
    }

    private void goOn(Entry running, int choice) {
        switch (choice % 6) {
            case 0 -> ledger.renew(running.ticket(), Duration.ofSeconds(20));
            case 1 -> ledger.mark(running.ticket(), Mark.of("charging"));
            case 2 ->
                ledger.settle(
                        running.ticket(),
                        new Settlement.Failed(new Failure("refused", "no"), false, Retention.DEFAULT));
            case 3 -> ledger.settle(running.ticket(), new Settlement.Doubtful(new Failure("lost", "no answer")));
            default -> ledger.settle(running.ticket(), completed());
        }
    }

    private Settlement completed() {
        Retention retention = Retention.of(Duration.ofDays(2)).withTombstone(Duration.ofDays(random.nextInt(4)));
        return Fixtures.completed("\"" + "x".repeat(random.nextInt(1500)) + "\"", retention);
    }
}
