package dev.idem.lab;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A new folder that is deleted with its content when it is closed. */
public final class TempFolder implements Closeable {
    private final Path path;

    /** Creates a folder in this parent. */
    public TempFolder(Path parent) throws IOException {
        path = Files.createTempDirectory(parent, "idem-");
    }

    /** The folder itself. */
    public Path path() {
        return path;
    }

    /** The path of a file in the folder. */
    public Path file(String name) {
        return path.resolve(name);
    }

    @Override
    public void close() throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> all = Files.walk(path)) {
            deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : deepestFirst) {
            Files.delete(each);
        }
    }
}
