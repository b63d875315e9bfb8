package dev.idem.torture;

import dev.idem.torture.broken.BrokenLedgers;
import dev.idem.torture.subject.Deed;
import dev.idem.torture.worker.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a run.
 *
 * @param deeds the faults that may be injected, if the ledger supports them
 * @param kinds of operations that the workers call
 * @param broken the name of a broken ledger; empty for the ledger as it is
 * @param folder the working folder of a run; its files are removed, except the evidence of a violation
 */
public record Options(
        String ledger, long seed, Duration duration, Set<Deed> deeds, Set<Kind> kinds, String broken, Path folder) {
    /** The default settings for a ledger. */
    public static Options of(String ledger) {
        return new Options(
                ledger,
                System.nanoTime() & 0xFFFFFF,
                Duration.ofMinutes(1),
                EnumSet.complementOf(EnumSet.of(Deed.JUMP)),
                Kind.outer(),
                "",
                Path.of("target", "torture"));
    }

    public Options withLedger(String name) {
        return new Options(name, seed, duration, deeds, kinds, broken, folder);
    }

    public Options withSeed(long number) {
        return new Options(ledger, number, duration, deeds, kinds, broken, folder);
    }

    public Options withDuration(Duration time) {
        return new Options(ledger, seed, time, deeds, kinds, broken, folder);
    }

    public Options withDeeds(Set<Deed> some) {
        return new Options(ledger, seed, duration, some, kinds, broken, folder);
    }

    public Options withKinds(Set<Kind> some) {
        return new Options(ledger, seed, duration, deeds, some, broken, folder);
    }

    /** Throws {@link IllegalArgumentException} when no broken ledger has the name. */
    public Options withBroken(String name) {
        if (!name.isEmpty() && !BrokenLedgers.names().contains(name)) {
            throw new IllegalArgumentException(
                    "there is no broken ledger '" + name + "'; there is " + BrokenLedgers.names());
        }
        return new Options(ledger, seed, duration, deeds, kinds, name, folder);
    }

    public Options withFolder(Path path) {
        return new Options(ledger, seed, duration, deeds, kinds, broken, path);
    }

    /** Reads the arguments of the program; null where they make no sense. */
    static @Nullable Options parse(String[] arguments) {
        Options options = of("sqlite");
        for (int i = 0; i < arguments.length; i += 2) {
            if (i + 1 == arguments.length) {
                return null;
            }
            String value = arguments[i + 1];
            switch (arguments[i]) {
                case "--ledger" -> options = options.withLedger(value);
                case "--seed" -> options = options.withSeed(Long.parseLong(value));
                case "--duration" -> options = options.withDuration(duration(value));
                case "--deeds" ->
                    options = options.withDeeds(value.equals("none") ? EnumSet.noneOf(Deed.class) : Deed.parse(value));
                case "--kinds" -> options = options.withKinds(Kind.parse(value));
                case "--broken" -> options = options.withBroken(value);
                case "--folder" -> options = options.withFolder(Path.of(value));
                default -> {
                    return null;
                }
            }
        }
        return options;
    }

    private static Duration duration(String text) {
        return Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
    }
}
