package dev.idem.cli.run;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Holds a started process back until its pid is recorded, so that no command runs unknown to the ledger.
 *
 * <p>A shell is started first: it reads a word from a pipe of this process, and becomes the command only if the word
 * is right. If this process dies before it writes the word, the pipe can't be opened or ends: the command never starts,
 * and nothing is left behind.
 */
public final class Gate implements AutoCloseable {
    // $1 is the pipe, $2 the word, then the command. A shell that exits has not become the command, and reports that
    // if it can: exec fails if the file was just deleted, or its interpreter is missing.
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
     * @param word that opens it
     */
    public static Gate on(OwnPipe pipe, long pid, String word) {
        return new Gate(pipe, "/proc/" + pid + "/fd/" + pipe.reading(), word);
    }

    /** The same pipe, closed with another word. */
    Gate with(String another) {
        return new Gate(pipe, path, another);
    }

    /** The shell command to start instead of the command. */
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
     * Whether the shell, which has ended, certainly never became the command: the word was not read, or the shell
     * reported it.
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
