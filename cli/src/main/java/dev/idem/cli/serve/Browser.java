package dev.idem.cli.serve;

import dev.idem.cli.around.Surroundings;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The browser of the person who has started this program. */
record Browser(Surroundings around) {
    /** Shows a page there, if there is a browser. */
    void open(URI url) {
        Path opener = opener();
        if (opener == null) {
            return;
        }
        try {
            new ProcessBuilder(opener.toString(), url.toString())
                    .redirectInput(Redirect.from(new File("/dev/null")))
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            // The person has the URL.
            around.complain("  no browser was started: " + e.getMessage() + "\n");
        }
    }

    /** The program that opens URLs on a screen; null where there is no screen. */
    private @Nullable Path opener() {
        boolean mac = System.getProperty("os.name", "").startsWith("Mac");
        if (!mac && !around.env().containsKey("DISPLAY") && !around.env().containsKey("WAYLAND_DISPLAY")) {
            return null;
        }
        return Arrays.stream(around.env().getOrDefault("PATH", "").split(File.pathSeparator))
                .filter(folder -> folder.startsWith("/"))
                .map(folder -> Path.of(folder, mac ? "open" : "xdg-open"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }
}
