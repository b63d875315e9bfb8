package dev.idem.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Entry;
import dev.idem.LedgerUnavailableException;
import dev.idem.testkit.Thorough;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The plug is pulled at any write, sync or rename. What was acknowledged is there afterwards, and of what was not,
 * nothing is there by half.
 */
class PowerCutTest {
    private static final int SEEDS = Thorough.times(120, 500);
    private static final int STEPS = 40;
    private static final int CUTS = 3;

    /** Hundreds of warnings that something was cut off, as it should be. */
    private static final Logger LOG = Logger.getLogger("dev.idem.jsonl");

    @BeforeAll
    static void beQuiet() {
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void speakAgain() {
        LOG.setLevel(null);
    }

    @Test
    void whatWasAcknowledgedSurvives() {
        long compactions = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            compactions += cutAnywhere(seed, CuttableDisk.Fault.NONE);
        }
        assertThat(compactions).as("compactions that were cut off, or not").isGreaterThan(SEEDS);
    }

    /** The end line of a file says that all lines before it were synced. A torn one must not look like damage. */
    @Test
    void whatIsCutOffWhileItIsClosedIsWhole() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            CuttableDisk disk = new CuttableDisk(CuttableDisk.Fault.NONE);
            RandomLife life = new RandomLife(seed, disk);
            life.open();
            life.live(3);
            Random random = new Random(-seed);
            disk.crashAfter(random.nextInt(6), random);
            try {
                life.ledger().close();
            } catch (LedgerUnavailableException e) {
                assertThat(e).hasStackTraceContaining("the plug was pulled");
            }
            end(disk, random);
            openAmongCrashes(life, disk, random);
            Map<String, Entry> last = life.states().get(life.states().size() - 1);
            assertThat(life.state()).as("seed %d", seed).isEqualTo(last);
            Fixtures.take(life.ledger(), "fresh");
            disk.cut(random);
            life.open();
            assertThat(life.state()).as("seed %d, cut off again", seed).isEqualTo(last);
            life.ledger().close();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = CuttableDisk.Fault.class,
            names = {"FILES_ARE_NOT_SYNCED", "FOLDERS_ARE_NOT_SYNCED"})
    void aLedgerThatDoesNotSyncIsFoundOut(CuttableDisk.Fault fault) {
        assertThatThrownBy(() -> {
                    for (long seed = 1; seed <= SEEDS; seed++) {
                        cutAnywhere(seed, fault);
                    }
                })
                .isInstanceOfAny(AssertionError.class, dev.idem.LedgerUnreadableException.class);
    }

    /** Lives once without an accident to know what is where when, then cuts the same life off at several places. */
    private static long cutAnywhere(long seed, CuttableDisk.Fault fault) {
        CuttableDisk calm = new CuttableDisk(fault);
        RandomLife whole = new RandomLife(seed, calm);
        whole.open();
        whole.live(STEPS);
        Random random = new Random(-seed);
        for (int i = 0; i < CUTS; i++) {
            cut(seed, fault, random, calm.operations(), whole.states());
        }
        return whole.compactions();
    }

    private static void cut(
            long seed, CuttableDisk.Fault fault, Random random, long operations, List<Map<String, Entry>> states) {
        CuttableDisk disk = new CuttableDisk(fault);
        RandomLife life = new RandomLife(seed, disk);
        disk.crashAfter(random.nextLong(operations), random);
        try {
            life.open();
            life.live(STEPS);
        } catch (LedgerUnavailableException e) {
            assertThat(e).hasStackTraceContaining("the plug was pulled");
        }
        int acknowledged = life.states().size() - 1;
        end(disk, random);
        openAmongCrashes(life, disk, random);
        Map<String, Entry> left = life.state();
        if (acknowledged < 0) {
            assertThat(left).as("seed %d, cut off before it was opened", seed).isEmpty();
        } else {
            assertThat(left)
                    .as("seed %d, cut off after step %d", seed, acknowledged)
                    .isIn(states.get(acknowledged), states.get(Math.min(acknowledged + 1, states.size() - 1)));
        }
        // The answer that it has just given must survive the next cut.
        disk.cut(random);
        life.open();
        assertThat(life.state()).as("seed %d, cut off again", seed).isEqualTo(left);
        assertThat(Fixtures.take(life.ledger(), "fresh").fence().number())
                .as("seed %d, a fence after the cut", seed)
                .isGreaterThan(highest(states, acknowledged));
        life.ledger().close();
    }

    private static void openAmongCrashes(RandomLife life, CuttableDisk disk, Random random) {
        for (int i = 0; i < 2; i++) {
            disk.crashAfter(random.nextInt(6), random);
            try {
                life.open();
            } catch (LedgerUnavailableException e) {
                assertThat(e).hasStackTraceContaining("the plug was pulled");
            }
            end(disk, random);
        }
        life.open();
    }

    private static void end(CuttableDisk disk, Random random) {
        if (random.nextInt(3) == 0) {
            disk.restart();
        } else {
            disk.cut(random);
        }
    }

    private static long highest(List<Map<String, Entry>> states, int until) {
        return states.subList(0, until + 1).stream()
                .flatMap(state -> state.values().stream())
                .mapToLong(entry -> entry.fence().number())
                .max()
                .orElse(0);
    }
}
