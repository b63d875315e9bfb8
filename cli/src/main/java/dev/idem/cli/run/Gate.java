package dev.idem.cli.run;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Holds a started process back until its pid has been written down, so that a command never runs unknown to the ledger.
 *
 * <p>A shell stands in for the command: it reads a word from a pipe of this process, and becomes the command only if
 * that is the right one. If this process dies before that, there is nothing to open; if it dies after that, the pipe ends: the command
 * never starts, and nothing is left behind.
 */
public final class Gate implements AutoCloseable {
    // $1 is the pipe, $2 the word, then comes the command. A shell that exits has not become the command, and says so
    // where it can: exec fails when the file has just gone, or its interpreter is missing.
    private static final String SCRIPT = "trap \"echo never >$1\" EXIT; "
            + "IFS= read -r _idem_word <\"$1\" && [ \"$_idem_word\" = \"$2\" ] || exit 125; "
            + "unset _idem_word; shift 2; exec \"$@\"";

    private final OwnPipe pipe;
    private final String path;
    private final String word;

    private Gate(OwnPipe pipe, String path, String word) {
        this.pipe = pipe;
        this.path = path;
        this.word = word;
    }

    /**
     * A closed gate.
     *
     * @param pid of this process
     * @param word what opens it
     */
    public static Gate on(OwnPipe pipe, long pid, String word) {
        return new Gate(pipe, "/proc/" + pid + "/fd/" + pipe.reading(), word);
    }

    /** The same pipe, closed with another word. */
    Gate with(String another) {
        return new Gate(pipe, path, another);
    }

    /** What to start in place of the command. */
    public List<String> words() {
        return List.of("/bin/sh", "-c", SCRIPT, "idem-gate", path, word);
    }

    /** Lets the command start. */
    public void open() throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap((word + "\n").getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) {
            pipe.pipe().sink().write(bytes);
        }
    }

    /**
     * Whether the stand-in, now ended, is known never to have become the command: its word was not taken, or it said
     * so.
     */
    public boolean neverPassed() throws IOException {
        pipe.pipe().source().configureBlocking(false);
        return pipe.pipe().source().read(ByteBuffer.allocate(64)) > 0;
    }

    @Override
    public void close() throws IOException {
        pipe.close();
    }
}
