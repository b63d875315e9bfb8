package dev.idem.command.score;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The command to grade, and how to observe it.
 *
 * @param command the program and its arguments, without key
 * @param watch the folder whose files show the effect; null for none
 * @param probe a shell command whose output shows the effect; null for none
 * @param swap the argument to replace for another payload, as {@code OLD=NEW}; null to choose one
 * @param keyOption the option that takes the key
 * @param timeout how long one run may take
 */
public record ScoreOptions(
        List<String> command,
        @Nullable Path watch,
        @Nullable String probe,
        @Nullable String swap,
        String keyOption,
        Duration timeout) {
    /**
     * Checks them.
     *
     * @throws ScoreRefused when they make no sense
     */
    public ScoreOptions {
        command = List.copyOf(command);
        if (command.isEmpty()) {
            throw usage("name the command to grade behind --");
        }
        if (watch != null && !Files.isDirectory(watch)) {
            throw usage("--watch: " + watch + " is no folder");
        }
        if (swap != null && swap.indexOf('=') <= 0) {
            throw usage("--swap is OLD=NEW, not '" + swap + "'");
        }
        if (swap != null && !command.contains(from(swap))) {
            throw usage("--swap: the command has no argument '" + from(swap) + "'");
        }
    }

    /** Whether the effect is observed, and not only taken from the program's answer. */
    boolean watches() {
        return watch != null || probe != null;
    }

    static String from(String swap) {
        return swap.substring(0, swap.indexOf('='));
    }

    static String to(String swap) {
        return swap.substring(swap.indexOf('=') + 1);
    }

    static ScoreRefused usage(String message) {
        return new ScoreRefused("USAGE", message);
    }
}
