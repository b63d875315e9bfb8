package dev.idem.torture.subject;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

/** A JSONL file, which one process at a time has open: its workers are engines and threads of that process. */
final class JsonlSubject implements Subject {
    private final Path file;

    JsonlSubject(Path folder) {
        this.file = folder.resolve("idem.jsonl");
    }

    @Override
    public Set<Deed> deeds() {
        return EnumSet.of(Deed.KILL, Deed.STOP, Deed.CLOCK, Deed.FULL);
    }

    @Override
    public String url() {
        return "jsonl:" + file;
    }

    @Override
    public int processes() {
        return 1;
    }

    @Override
    public long largestFile() throws IOException {
        return Files.exists(file) ? Files.size(file) : 0;
    }

    @Override
    public void close() {}
}
