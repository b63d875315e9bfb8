package dev.idem.benchmarks;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The floor under the JSONL ledger: a short line with the state of a key, appended and synced. */
final class BareAppend implements AutoCloseable {
    private final RandomAccessFile file;

    BareAppend(Path path) throws IOException {
        file = new RandomAccessFile(path.toFile(), "rw");
    }

    /** One write and one sync for one line. */
    void append(String key, String state) throws IOException {
        append(new String[] {key}, state);
    }

    /** One write and one sync for several lines. */
    void append(String[] keys, String state) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (String key : keys) {
            lines.append("{\"id\":\"").append(key).append("\",\"state\":\"").append(state);
            lines.append("\",\"result\":\"ok\",\"ts\":1748107200.123}\n");
        }
        file.write(lines.toString().getBytes(StandardCharsets.UTF_8));
        file.getFD().sync();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
