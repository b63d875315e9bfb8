package dev.idem.benchmarks;

import dev.idem.Idem;
import dev.idem.lab.TempFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The size of an entry in a JSONL file, before and after a compaction. */
final class JsonlSize implements Scenario {
    @Override
    public String name() {
        return "JSONL, size";
    }

    @Override
    public List<Row> run(Effort effort) throws Exception {
        int each = Sample.each(effort, 1);
        long entries = (long) each * Sample.THREADS;
        try (TempFolder folder = new TempFolder(effort.folder());
                Crowd crowd = new Crowd(Sample.THREADS)) {
            Path file = folder.file("idem.jsonl");
            double perCall;
            double rate;
            try (Idem idem = Ledgers.inJsonl(file)) {
                long before = Sample.written();
                rate = Sample.fill(idem, crowd, "a", each);
                perCall = (double) (Sample.written() - before) / entries;
            }
            return List.of(
                    Sample.row("JSONL, file for each of " + entries + " entries", (double) Files.size(file) / entries),
                    Sample.row("JSONL, written for a first call with compaction, 64 threads", perCall),
                    Sample.rate("JSONL, first calls while it grows, 64 threads", rate));
        }
    }
}
