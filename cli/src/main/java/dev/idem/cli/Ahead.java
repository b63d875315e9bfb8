package dev.idem.cli;

import dev.idem.sqlite.SqliteNative;
import java.nio.channels.spi.SelectorProvider;
import java.util.List;
import java.util.Map;

/**
 * Loads the driver of SQLite on a second thread while the first one parses the line, because it takes as long as all
 * the rest. It only loads classes; the call itself meets and reports any failure.
 */
final class Ahead {
    static final String SQLITE = "sqlite:";

    private static final List<String> WITHOUT_LEDGER = List.of(
            "key",
            "demo",
            "completion",
            "manifest",
            "vet",
            "score",
            "webhook",
            "help",
            "--help",
            "version",
            "--version");

    private Ahead() {}

    static void load(String[] words, Map<String, String> env) {
        if (!usesSqlite(words, env)) {
            return;
        }
        boolean runs = words[0].equals("run");
        Thread thread = new Thread(() -> load(runs), "sqlite-driver");
        thread.setDaemon(true);
        thread.start();
    }

    private static void load(boolean runs) {
        SqliteNative.loadAhead();
        if (runs) {
            SelectorProvider.provider();
            new ProcessBuilder().environment();
        }
    }

    /** Guessed without parsing the line: a wrong guess costs only a little time. */
    private static boolean usesSqlite(String[] words, Map<String, String> env) {
        if (words.length == 0 || WITHOUT_LEDGER.contains(words[0])) {
            return false;
        }
        String option = "--ledger";
        for (int i = 0; i < words.length && !words[i].equals("--"); i++) {
            if (words[i].equals(option)) {
                return i + 1 < words.length && words[i + 1].startsWith(SQLITE);
            } else if (words[i].startsWith(option + "=")) {
                return words[i].startsWith(SQLITE, option.length() + 1);
            }
        }
        String given = env.getOrDefault("IDEM_LEDGER", "");
        return given.isEmpty() || given.startsWith(SQLITE);
    }
}
