package dev.idem.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds a started process back until its pid has been written down, so that a command never runs unknown to the ledger.
 *
 * <p>A shell stands in for the command: it reads a word from a pipe of this process, and becomes the command only if
 * that is the right one. It opens the pipe through {@code /proc}, since no descriptor but the first three is handed
 * on. If this process dies before that, there is nothing to open; if it dies after that, the pipe ends: the command
 * never starts, and nothing is left behind.
 */
final class Gate implements AutoCloseable {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    // $1 is the pipe, $2 the word, then comes the command. A shell that exits has not become the command, and says so
    // where it can: exec fails when the file has just gone, or its interpreter is missing.
    private static final String SCRIPT = "trap \"echo never >$1\" EXIT; "
            + "IFS= read -r _idem_word <\"$1\" && [ \"$_idem_word\" = \"$2\" ] || exit 125; "
            + "unset _idem_word; shift 2; exec \"$@\"";

    private final Pipe pipe;
    private final String path;
    private final String word;

    private Gate(Pipe pipe, String path, String word) {
        this.pipe = pipe;
        this.path = path;
        this.word = word;
    }

    /**
     * A closed gate, or null where the host has no {@code /proc} that shows this process's pipes.
     *
     * @param pid of this process
     * @param word what opens it
     */
    static @Nullable Gate make(long pid, String word) throws IOException {
        if (!Files.isDirectory(DESCRIPTORS)) {
            return null;
        }
        Set<String> before = pipes(null);
        Pipe pipe = Pipe.open();
        Set<String> made = pipes(before);
        if (made.size() != 1) {
            pipe.source().close();
            pipe.sink().close();
            return null;
        }
        return new Gate(pipe, "/proc/" + pid + "/fd/" + made.iterator().next(), word);
    }

    /** The pipes of this process by name; with {@code before}, the descriptors of those that are new and can be read. */
    private static Set<String> pipes(@Nullable Set<String> before) throws IOException {
        Set<String> found = new HashSet<>();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(DESCRIPTORS)) {
            for (Path descriptor : descriptors) {
                String target = target(descriptor);
                if (!target.startsWith("pipe:")) {
                    continue;
                }
                if (before == null) {
                    found.add(target);
                } else if (!before.contains(target) && readable(descriptor)) {
                    found.add(descriptor.getFileName().toString());
                }
            }
        }
        return found;
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            // The descriptor of the listing itself is gone by now.
            return "";
        }
    }

    private static boolean readable(Path descriptor) throws IOException {
        Path info = Path.of("/proc/self/fdinfo").resolve(descriptor.getFileName());
        for (String line : Files.readAllLines(info)) {
            if (line.startsWith("flags:")) {
                return (Long.parseLong(line.substring(6).strip(), 8) & 3) == 0;
            }
        }
        return false;
    }

    /** What to start in place of the command. */
    List<String> words() {
        return List.of("/bin/sh", "-c", SCRIPT, "idem-gate", path, word);
    }

    /** Lets the command start. */
    void open() throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap((word + "\n").getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) {
            pipe.sink().write(bytes);
        }
    }

    /**
     * Whether the stand-in, now ended, is known never to have become the command: its word was not taken, or it said
     * so.
     */
    boolean neverPassed() throws IOException {
        pipe.source().configureBlocking(false);
        return pipe.source().read(ByteBuffer.allocate(64)) > 0;
    }

    @Override
    public void close() throws IOException {
        pipe.sink().close();
        pipe.source().close();
    }
}
