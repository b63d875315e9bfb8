package dev.idem.cli.around;

import dev.idem.cli.syntax.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A file that gets the JSON object, whole or not at all. */
public record StatusFile(Path path) {

    /** Refuses a place that can't be written to before anything is run. */
    public static StatusFile check(String given, Path directory, String source) {
        Path path;
        try {
            path = directory.resolve(given);
        } catch (InvalidPathException e) {
            throw new UsageException(source + ": '" + given + "' is no path");
        }
        Path folder = path.getParent();
        if (given.isEmpty() || Files.isDirectory(path)) {
            throw new UsageException(source + ": '" + given + "' is a directory; name a file");
        }
        if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw new UsageException(source + ": the folder of '" + given + "' is not there or can't be written to");
        }
        return new StatusFile(path);
    }

    /** Replaces the file by one that only this user can read: it holds the command's output. */
    public void write(String json) throws IOException {
        Path folder = path.toAbsolutePath().getParent();
        Path fresh = Files.createTempFile(folder, ".idem-status-", null);
        try {
            Files.write(fresh, (json + "\n").getBytes(StandardCharsets.UTF_8));
            Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }
}
