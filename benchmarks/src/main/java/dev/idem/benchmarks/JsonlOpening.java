package dev.idem.benchmarks;

import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.lab.TempFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Opens a JSONL file of many entries, beside reading its bytes; weighs what it keeps in memory. */
final class JsonlOpening implements Scenario {
    private static final int THREADS = 64;
    private static final int MOST_ENTRIES = 1_000_000;
    private static final int OPENINGS = 3;

    @Override
    public String name() {
        return "JSONL, opening";
    }

    @Override
    public List<Row> run(Effort effort) throws Exception {
        int each = Math.min(MOST_ENTRIES, effort.rounds() * effort.calls() * THREADS) / THREADS;
        int entries = each * THREADS;
        try (TempFolder folder = new TempFolder(effort.folder())) {
            Path file = folder.file("idem.jsonl");
            fill(file, each);
            double[] opened = new double[OPENINGS];
            double[] read = new double[OPENINGS];
            long weight = 0;
            for (int i = 0; i < OPENINGS; i++) {
                read[i] = read(file);
                long before = used();
                long start = System.nanoTime();
                try (Idem idem = Ledgers.inJsonl(file)) {
                    opened[i] = System.nanoTime() - start;
                    weight = used() - before;
                    check(idem);
                }
            }
            double first = opened[0];
            return List.of(
                    Row.of(
                            "JSONL, opening " + entries + " entries, " + (Files.size(file) >> 20)
                                    + " MiB | reading the bytes",
                            Units.time(first),
                            Units.time(Units.quantile(read, 0.5)),
                            "later ones: " + Units.time(Units.quantile(opened, 0)),
                            Budget.OPENING_JSONL,
                            first / Math.max(1, entries / 1e6)),
                    Row.of(
                            "JSONL, memory for an entry of an open ledger",
                            weight / entries + " bytes",
                            "",
                            "",
                            Budget.BYTES_AN_ENTRY_JSONL,
                            (double) weight / entries));
        }
    }

    private static void fill(Path file, int each) throws Exception {
        try (Idem idem = Ledgers.inJsonl(file);
                Crowd crowd = new Crowd(THREADS)) {
            Operation<String> charge = idem.operation("charge").returning(String.class);
            crowd.run(
                    each,
                    (thread, number) -> charge.key("k-" + thread + "-" + number).run(call -> "charged " + number));
        }
    }

    private static void check(Idem idem) throws Exception {
        String replayed =
                idem.operation("charge").returning(String.class).key("k-0-0").run(call -> "run again");
        if (!"charged 0".equals(replayed)) {
            throw new IllegalStateException("the first entry is not there: " + replayed);
        }
    }

    private static double read(Path file) throws IOException {
        byte[] buffer = new byte[1 << 20];
        long start = System.nanoTime();
        try (InputStream in = Files.newInputStream(file)) {
            int last = 0;
            while (last >= 0) {
                last = in.read(buffer);
            }
        }
        return System.nanoTime() - start;
    }

    private static long used() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
