package dev.idem.cli.run;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A pipe of this process that others can open by a path while this process lives. It is needed because a started
 * process inherits only the first three descriptors.
 *
 * @param reading the number of the reading descriptor
 * @param writing the number of the writing descriptor
 */
record OwnPipe(Pipe pipe, String reading, String writing) implements AutoCloseable {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final int ATTEMPTS = 5;

    /**
     * New pipes, all or none: none if the host has no {@code /proc} that shows them. A new pipe is found by comparing
     * the descriptors before and after, so no other thread may create pipes meanwhile.
     */
    static List<OwnPipe> make(int count) throws IOException {
        Set<String> known = new HashSet<>(listed());
        List<OwnPipe> made = new ArrayList<>();
        // It takes the number that the listing itself used, which the first pipe would get otherwise.
        try (InputStream placeholder = known.isEmpty() ? null : new FileInputStream("/dev/null")) {
            while (placeholder != null && made.size() < count) {
                OwnPipe own = unlike(known);
                if (own == null) {
                    break;
                }
                made.add(own);
            }
        }
        if (made.size() == count) {
            return made;
        }
        for (OwnPipe each : made) {
            each.close();
        }
        return List.of();
    }

    /** A new pipe; null if its descriptors can't be identified. */
    private static @Nullable OwnPipe unlike(Set<String> known) throws IOException {
        // A number that another thread has just freed would be in the old list, and could be the new pipe's.
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Pipe pipe = Pipe.open();
            OwnPipe own = told(pipe, known);
            if (own != null) {
                return own;
            }
            pipe.source().close();
            pipe.sink().close();
            known.clear();
            known.addAll(open());
        }
        return null;
    }

    private static @Nullable OwnPipe told(Pipe pipe, Set<String> known) {
        List<String> reading = new ArrayList<>();
        List<String> writing = new ArrayList<>();
        Set<String> targets = new HashSet<>();
        for (String number : listed()) {
            Path descriptor = DESCRIPTORS.resolve(number);
            String target = known.contains(number) ? "" : target(descriptor);
            if (!target.isEmpty()) {
                known.add(number);
            }
            if (target.startsWith("pipe:")) {
                targets.add(target);
                (isReadOnly(descriptor) ? reading : writing).add(number);
            }
        }
        return reading.size() == 1 && writing.size() == 1 && targets.size() == 1
                ? new OwnPipe(pipe, reading.get(0), writing.get(0))
                : null;
    }

    /** The numbers in use, without that of the listing itself. */
    private static Set<String> open() {
        Set<String> numbers = new HashSet<>(listed());
        numbers.removeIf(number -> !Files.exists(DESCRIPTORS.resolve(number), LinkOption.NOFOLLOW_LINKS));
        return numbers;
    }

    private static List<String> listed() {
        String[] listed = DESCRIPTORS.toFile().list();
        return listed == null ? List.of() : Arrays.asList(listed);
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            // The descriptor of the listing itself is closed by now.
            return "";
        }
    }

    /** The link has the permissions with which the descriptor was opened. */
    private static boolean isReadOnly(Path descriptor) {
        try {
            return !Files.getPosixFilePermissions(descriptor, LinkOption.NOFOLLOW_LINKS)
                    .contains(PosixFilePermission.OWNER_WRITE);
        } catch (IOException | UnsupportedOperationException e) {
            // A descriptor of another thread, closed meanwhile.
            return false;
        }
    }

    /** Keeps only the reading end, so that the pipe ends when all writing processes have closed it. */
    OwnPipe forReading() throws IOException {
        pipe.sink().close();
        return this;
    }

    /** The redirect for a writing process. A pipe can be opened for writing by the path of either end. */
    Redirect redirect() {
        return Redirect.to(new File("/proc/self/fd/" + reading));
    }

    /** A second stream on the pipe: this kind of stream reports how much there is to read. */
    InputStream stream() throws IOException {
        return new FileInputStream("/proc/self/fd/" + reading);
    }

    /** Closes the ends of this process; a stream that is still read stays open. */
    @Override
    public void close() throws IOException {
        pipe.sink().close();
        pipe.source().close();
    }
}
