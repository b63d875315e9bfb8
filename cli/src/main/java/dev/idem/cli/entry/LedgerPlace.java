package dev.idem.cli.entry;

import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax.Trait;
import dev.idem.cli.syntax.UsageException;
import dev.idem.command.LedgerHome;
import dev.idem.seal.SealKeys;
import dev.idem.seal.SealedLedger;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.LedgerUrl;
import dev.idem.spi.store.MemoryLedger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The ledger of a call and its seal keys. */
public final class LedgerPlace {
    /** How a line names a ledger. */
    public static final String HOW = "--ledger URL or IDEM_LEDGER names another";

    private LedgerPlace() {}

    /** Opens the ledger for a command, with the seal keys that the line names. */
    public static Ledger open(Surroundings around, Arguments arguments) {
        SealKeys keys = keys(around, arguments);
        Ledger ledger;
        try {
            ledger = arguments.syntax().has(Trait.LOOKS)
                    ? look(around, arguments)
                    : around.ledgers().open(url(arguments, around.env()), false);
        } catch (IllegalArgumentException e) {
            throw new UsageException(arguments.source(Options.LEDGER) + ": " + e.getMessage());
        }
        return keys == null ? ledger : new SealedLedger(ledger, keys);
    }

    /** Reading creates nothing: a mistyped path is an error, and a default ledger that does not exist yet is empty. */
    private static Ledger look(Surroundings around, Arguments arguments) {
        String url = place(arguments, around.env());
        Path file = file(url, around.directory());
        if (file != null && file.toFile().length() == 0 && !Files.isDirectory(file)) {
            if (arguments.find(Options.LEDGER) == null) {
                if (arguments.syntax().has(Trait.WAITS)) {
                    // The first entry will be written to the file, and not to memory.
                    return around.ledgers().open(url(arguments, around.env()), false);
                }
                return new MemoryLedger(LedgerContext.ofHost(around.host()));
            }
            throw new UsageException(arguments.source(Options.LEDGER) + ": there is no ledger at " + file
                    + "; check the path. Reading does not create one, the first run does");
        }
        return around.ledgers().open(url, true);
    }

    /** The file of a ledger in a file; else null. */
    public static @Nullable Path file(String url, Path directory) {
        int colon = url.indexOf(':');
        String scheme = url.substring(0, Math.max(colon, 0));
        if (!scheme.equals("sqlite") && !scheme.equals("jsonl")) {
            return null;
        }
        int end = url.indexOf('?');
        String rest = url.substring(colon + 1, end < 0 ? url.length() : end);
        return rest.isEmpty() || rest.startsWith(":") ? null : directory.resolve(rest);
    }

    /**
     * The seal keys, or null to read entries as they are stored: states need no key. A command runs only if its whole
     * entry can be read.
     */
    private static @Nullable SealKeys keys(Surroundings around, Arguments arguments) {
        String file = arguments.find(Options.SEAL_KEYS);
        if (file == null) {
            return arguments.syntax().has(Trait.READS_ALL) ? SealKeys.none() : null;
        }
        try {
            return SealKeys.fromFile(around.directory().resolve(file));
        } catch (IllegalArgumentException e) {
            throw new UsageException(arguments.source(Options.SEAL_KEYS) + ": " + e.getMessage());
        }
    }

    /** The given URL, or that of the user's default ledger, whose folder is created if it is missing. */
    public static String url(Arguments arguments, Map<String, String> env) {
        String given = arguments.find(Options.LEDGER);
        return given != null ? given : home(env).make().url();
    }

    /** The same without creating anything. */
    public static String place(Arguments arguments, Map<String, String> env) {
        String given = arguments.find(Options.LEDGER);
        return given != null ? given : home(env).url();
    }

    /** The same for messages: without a password. */
    public static String shown(Arguments arguments, Map<String, String> env) {
        return LedgerUrl.withoutPassword(place(arguments, env));
    }

    private static LedgerHome home(Map<String, String> env) {
        try {
            return LedgerHome.of("idem", env, "--ledger sqlite:/path/idem.db or IDEM_LEDGER");
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }
}
