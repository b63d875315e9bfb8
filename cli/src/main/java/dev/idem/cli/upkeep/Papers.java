package dev.idem.cli.upkeep;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Writes the additional files of a distribution: completions and a man page. Called by the build. */
public final class Papers {
    private Papers() {}

    /** Takes the folder to write into. */
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        write(folder.resolve("bash-completion/completions/idem"), Completion.script("bash"));
        write(folder.resolve("zsh/site-functions/_idem"), Completion.script("zsh"));
        write(folder.resolve("fish/vendor_completions.d/idem.fish"), Completion.script("fish"));
        write(folder.resolve("man/man1/idem.1"), ManPage.text());
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, text);
    }
}
