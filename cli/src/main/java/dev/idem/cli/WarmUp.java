package dev.idem.cli;

import dev.idem.sqlite.SqliteNative;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/**
 * Runs the usual commands once, so that the launcher can archive their classes, and unpacks the native library of
 * SQLite for the launcher.
 */
final class WarmUp {
    private WarmUp() {}

    /** Takes the folder to work in. */
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        SqliteNative.unpackTo(folder)
                .ifPresent(library -> System.setProperty("org.sqlite.lib.path", library.toString()));
        Path scratch = Files.createTempDirectory(folder, "warm-up-");
        String ledger = "sqlite:" + scratch.resolve("idem.db") + "?busy=60s";
        idem("run", "--key", "warm-up", "--ledger", ledger, "--", "true");
        idem("run", "--key", "warm-up", "--ledger", ledger, "--", "true");
        idem("run", "--key", "warm-up", "--json", "--ledger", ledger, "--", "false");
        idem("show", "warm-up", "--ledger", ledger);
        idem("ls", "--ledger", ledger);
        idem("claim", "warm-up", "--identity", "{}", "--ledger", ledger);
        idem("settle", "warm-up", "--fence", "2", "--as", "complete", "--result", "{}", "--ledger", ledger);
        idem("key", "--field", "warm=up");
        serve(ledger);
        clear(scratch);
        System.exit(0);
    }

    /** A claim and its end, as a program sends them. */
    private static void serve(String ledger) {
        String start = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":";
        String lines = start + "\"hello\",\"params\":{\"protocol\":1}}\n" + start
                + "\"claim\",\"params\":{\"operation\":\"warm-up\",\"identity\":{\"n\":1},\"attempt_id\":\""
                + "0".repeat(32) + "\",\"policy\":{\"side_effect\":\"write\"}}}\n" + start
                + "\"find\",\"params\":{\"operation\":\"run\",\"key\":\"warm-up\"}}\n";
        System.setIn(new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)));
        idem("serve", "--stdio", "--ledger", ledger);
    }

    private static void idem(String... words) {
        Main.run(words, UnaryOperator.identity());
    }

    private static void clear(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
