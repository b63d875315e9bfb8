package dev.idem.cli.around;

import dev.idem.command.Signals;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The environment of a call: variables, streams, ledgers, signals and clocks.
 *
 * @param wordsAsTyped fails if the words of the line differ from the typed ones
 * @param env the environment variables
 * @param directory the working directory
 * @param stdin the stdin of a command that is run
 * @param in the same, to be read by this process
 * @param style how output is rendered
 * @param ledgers opens the ledger of a URL, read-only if it is only read
 * @param program the user's name for this program, for suggested commands
 * @param nanos the monotonic clock
 */
public record Surroundings(
        Runnable wordsAsTyped,
        Map<String, String> env,
        Path directory,
        Redirect stdin,
        InputStream in,
        OutputStream out,
        OutputStream err,
        OutputStyle style,
        LedgerOpener ledgers,
        Host host,
        Signals signals,
        String program,
        LongSupplier nanos) {

    /** The same for a thread that receives signals of its own. */
    public Surroundings with(Signals own) {
        return new Surroundings(
                wordsAsTyped, env, directory, stdin, in, out, err, style, ledgers, host, own, program, nanos);
    }

    /** Writes text to stdout. Returns the error, for instance if the reader has gone; else null. */
    public @Nullable IOException print(String text) {
        return write(out, text);
    }

    /** Writes text to stderr. If that fails, the exit code still shows the outcome. */
    public void complain(String text) {
        write(err, text);
    }

    private static @Nullable IOException write(OutputStream to, String text) {
        try {
            to.write(text.getBytes(StandardCharsets.UTF_8));
            to.flush();
            return null;
        } catch (IOException e) {
            return e;
        }
    }

    /** Opens ledgers. */
    @FunctionalInterface
    public interface LedgerOpener {
        Ledger open(String url, boolean readOnly);
    }
}
