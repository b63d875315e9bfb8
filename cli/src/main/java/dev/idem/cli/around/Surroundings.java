package dev.idem.cli.around;

import dev.idem.cli.syntax.UsageException;
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
 * What the command line finds around it.
 *
 * @param wordsAsTyped throws a {@link UsageException} when the words of the line are not those that were typed
 * @param env the environment variables
 * @param directory the working directory
 * @param stdin what a command that is run reads
 * @param in the same, to be read here
 * @param style how output is rendered
 * @param ledgers opens the ledger a URL names, for reading alone where it is only looked at
 * @param program what the user calls this program, for commands to suggest
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

    /** Writes text to stdout. Gives why it can't be written, for instance since its reader has gone away; else null. */
    public @Nullable IOException print(String text) {
        return write(out, text);
    }

    /** Writes text to stderr. Where that can't be written to, the exit code still tells how the call ended. */
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
