package dev.idem.torture.subject;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * The wall clock of a server, which can be set while it runs: the server gets its time from a small library, which is
 * compiled here. Its monotonic clock stays as it is.
 */
final class SettableClock {
    private static final Duration TRIAL = Duration.ofHours(1);

    private final Path library;
    private final Path file;
    private final MappedByteBuffer offset;

    /** Keeps its files in a folder; throws {@link UnsupportedOperationException} where there is no C compiler. */
    SettableClock(Path folder) throws IOException {
        library = folder.resolve("clock.so");
        file = folder.resolve("clock.offset");
        compile(folder.resolve("clock.c"));
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            offset = channel.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES);
        }
        offset.order(ByteOrder.nativeOrder());
    }

    private void compile(Path source) throws IOException {
        try (InputStream in = Objects.requireNonNull(SettableClock.class.getResourceAsStream("clock.c"))) {
            Files.copy(in, source);
        }
        int exit;
        try {
            exit = new ProcessBuilder("cc", "-shared", "-fPIC", "-o", library.toString(), source.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .onExit()
                    .join()
                    .exitValue();
        } catch (IOException e) {
            exit = 127;
        }
        if (exit != 0) {
            throw new UnsupportedOperationException("no clock can jump: there is no C compiler (cc) that works here");
        }
    }

    /** The command that begins the command line of the server. */
    List<String> prefix() {
        return List.of("env", "LD_PRELOAD=" + library, "IDEM_CLOCK=" + file);
    }

    void set(Duration afterRealTime) {
        offset.putLong(0, afterRealTime.toSeconds());
    }

    /** Throws {@link UnsupportedOperationException} unless the server, whose time this is, has the clock. */
    void tryOn(Now server) throws IOException {
        set(TRIAL);
        Duration off =
                Duration.between(Instant.now().plus(TRIAL), server.time()).abs();
        set(Duration.ZERO);
        if (off.compareTo(TRIAL.dividedBy(2)) > 0) {
            throw new UnsupportedOperationException("the clock of this server can't jump: it is linked statically");
        }
    }

    /** Asks a server for its time. */
    @FunctionalInterface
    interface Now {
        Instant time() throws IOException;
    }
}
