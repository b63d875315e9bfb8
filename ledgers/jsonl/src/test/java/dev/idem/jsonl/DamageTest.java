package dev.idem.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Entry;
import dev.idem.LedgerUnreadableException;
import dev.idem.spi.Host;
import dev.idem.spi.LedgerContext;
import dev.idem.testkit.SettableClocks;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A file that ends anywhere is cut back to what is whole; a file with any bit wrong is never taken for a good one. */
class DamageTest {
    private static final Path FILE = Path.of("/ledgers/idem.jsonl");
    private static final JsonlOptions OPTIONS = JsonlOptions.at(FILE);
    private static final int ENTRIES = 3;
    private static final Logger LOG = Logger.getLogger("dev.idem.jsonl");

    // A lease must not run out while a slow machine opens the file a thousand times.
    private final LedgerContext context = new LedgerContext(new SettableClocks(), Host.system());
    /** How long the file was after each step, and what was in it. */
    private final Map<Integer, Map<String, Entry>> states = new TreeMap<>();

    private byte[] running;
    private byte[] closed;

    @BeforeEach
    void fill() {
        LOG.setLevel(Level.OFF);
        CuttableDisk disk = new CuttableDisk(CuttableDisk.Fault.NONE);
        TestLedger ledger = Fixtures.on(disk, OPTIONS, context);
        states.put(disk.content(FILE).length, state(ledger));
        for (int i = 0; i < ENTRIES; i++) {
            var ticket = Fixtures.take(ledger, "k" + i);
            states.put(disk.content(FILE).length, state(ledger));
            ledger.settle(ticket, Fixtures.completed("{\"charged\":" + i + "}"));
            states.put(disk.content(FILE).length, state(ledger));
        }
        running = disk.content(FILE);
        ledger.close();
        closed = disk.content(FILE);
    }

    @AfterEach
    void speakAgain() {
        LOG.setLevel(null);
    }

    @Test
    void aTailThatIsTornAtAnyByteIsCutOffAndKept() {
        int first = states.keySet().iterator().next();
        for (int length = first; length <= running.length; length++) {
            CuttableDisk disk = with(Arrays.copyOf(running, length));
            TestLedger ledger = Fixtures.on(disk, OPTIONS, context);
            int whole = whole(length);
            assertThat(state(ledger)).as("torn at %d", length).isEqualTo(states.get(whole));
            assertKept(disk, Arrays.copyOfRange(running, whole, length));
            assertThat(Fixtures.take(ledger, "next").fence().number())
                    .isGreaterThan(states.get(whole).size());
            ledger.close();
            assertThat(reopened(disk)).containsAllEntriesOf(states.get(whole));
        }
    }

    @Test
    void aFileThatEndsInItsFirstLinesIsRefused() {
        int first = startOfLine(running, 3);
        for (int length = 1; length < first; length++) {
            CuttableDisk disk = with(Arrays.copyOf(running, length));
            assertThatThrownBy(() -> Fixtures.on(disk, OPTIONS, context))
                    .isInstanceOf(LedgerUnreadableException.class)
                    .hasMessageContaining("line ");
            assertThat(disk.content(FILE)).hasSize(length);
        }
    }

    @Test
    void aWrongBitInAFileThatWasClosedIsAnErrorThatNamesItsLine() {
        int end = startOfLine(closed, lines(closed) - 1);
        for (int at = 0; at < end; at++) {
            for (int bit = at % 4; bit < 8; bit += 4) {
                CuttableDisk disk = with(flipped(closed, at, bit));
                int line = lineOf(closed, at);
                assertThatThrownBy(() -> Fixtures.on(disk, OPTIONS, context))
                        .as("byte %d, bit %d", at, bit)
                        .isInstanceOf(LedgerUnreadableException.class)
                        .hasMessageMatching(line == 1 ? "(?s).*(line 1|version).*" : "(?s).* line " + line + ":.*");
                assertThat(disk.content(FILE)).isEqualTo(flipped(closed, at, bit));
            }
        }
    }

    @Test
    void aWrongBitInWhatEndsAFileThatWasClosedCostsNothing() {
        int last = startOfLine(closed, lines(closed));
        for (int at = last - 1; at < closed.length; at++) {
            CuttableDisk disk = with(flipped(closed, at, at % 8));
            assertThat(reopened(disk)).isEqualTo(states.get(running.length));
        }
    }

    @Test
    void aWrongBitAfterACrashIsAnErrorOrCostsTheLastBatchWhichIsKept() {
        List<Integer> ends = new ArrayList<>(states.keySet());
        int lastBatch = ends.get(ends.size() - 2);
        for (int at = 0; at < running.length; at++) {
            byte[] damaged = flipped(running, at, at % 8);
            CuttableDisk disk = with(damaged);
            if (at >= lastBatch) {
                assertThat(reopened(disk)).isEqualTo(states.get(lastBatch));
                assertKept(disk, Arrays.copyOfRange(damaged, lastBatch, damaged.length));
            } else {
                assertThatThrownBy(() -> Fixtures.on(disk, OPTIONS, context))
                        .as("byte %d", at)
                        .isInstanceOf(LedgerUnreadableException.class);
            }
        }
    }

    @Test
    void aFenceThatMayHaveBeenInWhatWasCutOffIsNotGivenOutAgain() {
        byte[] damaged = flipped(running, running.length - 30, 0);
        CuttableDisk disk = with(damaged);
        TestLedger ledger = Fixtures.on(disk, OPTIONS, context);
        assertThat(Fixtures.take(ledger, "next").fence().number()).isGreaterThan(ENTRIES);
    }

    @Test
    void aLineThatSomebodyElseHasAddedIsNotTakenForOneOfOurs() {
        byte[] foreign = "{\"id\": \"k9\", \"state\": \"complete\", \"ts\": 1}\n".getBytes(StandardCharsets.UTF_8);
        byte[] together = Arrays.copyOf(closed, closed.length + foreign.length);
        System.arraycopy(foreign, 0, together, closed.length, foreign.length);
        CuttableDisk disk = with(together);
        assertThat(reopened(disk)).isEqualTo(states.get(running.length));
        assertKept(disk, foreign);
    }

    private Map<String, Entry> reopened(CuttableDisk disk) {
        TestLedger ledger = Fixtures.on(disk, OPTIONS, context);
        Map<String, Entry> state = state(ledger);
        ledger.close();
        return state;
    }

    private static void assertKept(CuttableDisk disk, byte[] tail) {
        List<Path> copies = disk.namesBeside(FILE);
        if (tail.length == 0) {
            assertThat(copies).isEmpty();
        } else {
            assertThat(copies).singleElement().satisfies(copy -> {
                assertThat(copy.toString()).contains("idem.jsonl.cut-");
                assertThat(disk.content(copy)).isEqualTo(tail);
            });
        }
    }

    private int whole(int length) {
        return states.keySet().stream()
                .filter(end -> end <= length)
                .max(Integer::compare)
                .orElseThrow();
    }

    private static Map<String, Entry> state(TestLedger ledger) {
        Map<String, Entry> all = new TreeMap<>();
        for (int i = 0; i < ENTRIES; i++) {
            String key = "k" + i;
            ledger.find(Fixtures.address(key)).ifPresent(entry -> all.put(key, entry));
        }
        return all;
    }

    private static CuttableDisk with(byte[] content) {
        CuttableDisk disk = new CuttableDisk(CuttableDisk.Fault.NONE);
        disk.put(FILE, content);
        return disk;
    }

    private static byte[] flipped(byte[] content, int at, int bit) {
        byte[] flipped = content.clone();
        flipped[at] ^= (byte) (1 << bit);
        return flipped;
    }

    private static int lineOf(byte[] content, int at) {
        int line = 1;
        for (int i = 0; i < at; i++) {
            line += content[i] == '\n' ? 1 : 0;
        }
        return line;
    }

    private static int lines(byte[] content) {
        return lineOf(content, content.length) - 1;
    }

    private static int startOfLine(byte[] content, int number) {
        int at = 0;
        for (int line = 1; line < number; at++) {
            line += content[at] == '\n' ? 1 : 0;
        }
        return at;
    }
}
