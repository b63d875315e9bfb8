package dev.idem.cli;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.UnaryOperator;

/**
 * Goes the usual ways once, so that the launcher can archive the classes they need, and keeps the native library that
 * SQLite's driver would otherwise unpack at every start.
 */
final class WarmUp {
    private WarmUp() {}

    /** Takes the folder to work in, into which the driver was told to unpack its library. */
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
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
        keepLibrary(folder);
        clear(scratch);
        System.exit(0);
    }

    private static void idem(String... words) {
        Main.run(words, UnaryOperator.identity());
    }

    /** The driver unpacks {@code sqlite-VERSION-RANDOM-libsqlitejdbc.so} and deletes it at the end. */
    private static void keepLibrary(Path folder) throws IOException {
        try (DirectoryStream<Path> unpacked = Files.newDirectoryStream(folder, "sqlite-*libsqlitejdbc.{so,dylib}")) {
            for (Path file : unpacked) {
                String name = file.getFileName().toString();
                Files.copy(
                        file,
                        folder.resolve(name.substring(name.indexOf("libsqlitejdbc"))),
                        StandardCopyOption.REPLACE_EXISTING);
            }
        }
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
