package dev.idem.cli.run;

import java.io.IOException;
import java.nio.channels.Pipe;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A pipe of this process that others can open by a path, as long as this process lives: no descriptor but the first
 * three is handed to a started process.
 *
 * @param reading the number of the descriptor that is read from
 * @param writing the number of the descriptor that is written to
 */
public record OwnPipe(Pipe pipe, String reading, String writing) implements AutoCloseable {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    /** New pipes, all or none: there are none where the host has no {@code /proc} that shows them. */
    public static List<OwnPipe> make(int count) throws IOException {
        if (!Files.isDirectory(DESCRIPTORS)) {
            return List.of();
        }
        Set<String> seen = new HashSet<>();
        for (Path descriptor : descriptors()) {
            seen.add(target(descriptor));
        }
        List<OwnPipe> made = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            OwnPipe own = unlike(seen);
            if (own == null) {
                for (OwnPipe earlier : made) {
                    earlier.close();
                }
                return List.of();
            }
            made.add(own);
        }
        return made;
    }

    /** A new pipe, known by what was not there before; null when it can't be told. */
    private static @Nullable OwnPipe unlike(Set<String> seen) throws IOException {
        Pipe pipe = Pipe.open();
        List<String> reading = new ArrayList<>();
        List<String> writing = new ArrayList<>();
        Set<String> added = new HashSet<>();
        for (Path descriptor : descriptors()) {
            String target = target(descriptor);
            if (target.startsWith("pipe:") && !seen.contains(target)) {
                added.add(target);
                (isReadOnly(descriptor) ? reading : writing)
                        .add(descriptor.getFileName().toString());
            }
        }
        seen.addAll(added);
        if (reading.size() == 1 && writing.size() == 1) {
            return new OwnPipe(pipe, reading.get(0), writing.get(0));
        }
        pipe.source().close();
        pipe.sink().close();
        return null;
    }

    private static List<Path> descriptors() throws IOException {
        List<Path> all = new ArrayList<>();
        try (DirectoryStream<Path> listed = Files.newDirectoryStream(DESCRIPTORS)) {
            listed.forEach(all::add);
        }
        return all;
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            // The descriptor of the listing itself is gone by now.
            return "";
        }
    }

    private static boolean isReadOnly(Path descriptor) throws IOException {
        Path info = Path.of("/proc/self/fdinfo").resolve(descriptor.getFileName());
        for (String line : Files.readAllLines(info)) {
            if (line.startsWith("flags:")) {
                return (Long.parseLong(line.substring(6).strip(), 8) & 3) == 0;
            }
        }
        throw new IOException(info + " has no flags");
    }

    @Override
    public void close() throws IOException {
        pipe.sink().close();
        pipe.source().close();
    }
}
