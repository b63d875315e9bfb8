package dev.idem.http.servlet;

import dev.idem.http.BodyTooLargeException;
import dev.idem.http.HttpRules;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The body of a request, read once and kept: in memory, or in a private file where it is long. */
final class SpooledBody implements AutoCloseable {
    private final byte[] memory;
    private final @Nullable Path file;

    private SpooledBody(byte[] memory, @Nullable Path file) {
        this.memory = memory;
        this.file = file;
    }

    /**
     * Reads a body to its end.
     *
     * @throws BodyTooLargeException when it is longer than the rules allow
     */
    static SpooledBody read(InputStream in, HttpRules rules) throws IOException {
        byte[] start = in.readNBytes(rules.largestInMemory());
        int next = start.length < rules.largestInMemory() ? -1 : in.read();
        if (next < 0) {
            return new SpooledBody(start, null);
        }
        // Files of this kind are readable by their owner alone.
        Path file = Files.createTempFile("idem-body", null);
        try (OutputStream out = Files.newOutputStream(file)) {
            out.write(start);
            out.write(next);
            copy(in, out, start.length + 1L, rules.largestBody());
            return new SpooledBody(new byte[0], file);
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }

    private static void copy(InputStream in, OutputStream out, long already, long limit) throws IOException {
        byte[] chunk = new byte[64 * 1024];
        long left = limit - already;
        for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
            left -= read;
            if (left < 0) {
                throw new BodyTooLargeException(limit);
            }
            out.write(chunk, 0, read);
        }
    }

    long size() throws IOException {
        return file == null ? memory.length : Files.size(file);
    }

    InputStream open() throws IOException {
        return file == null ? new ByteArrayInputStream(memory) : Files.newInputStream(file);
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            Files.deleteIfExists(file);
        }
    }
}
