package dev.idem.command.score;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A snapshot of the observed state: the files of a folder by their content, and the output of a probe.
 *
 * @param seen by name
 */
record Snapshot(Map<String, String> seen) {
    private static final String PROBE = "the probe's answer";

    static Snapshot look(ScoreOptions options) {
        Map<String, String> seen = new TreeMap<>();
        Path folder = options.watch();
        if (folder != null) {
            files(folder).forEach(file -> digest(file).ifPresent(text -> seen.put(name(folder, file), text)));
        }
        String probe = options.probe();
        if (probe != null) {
            Ended ended = Ended.of(List.of("sh", "-c", probe), options.timeout());
            Response response = Response.of(ended.stdout());
            // An envelope contains the duration, which differs each time.
            seen.put(PROBE, ended.exit() + " " + (response.json() ? response.data() : ended.stdout()));
        }
        return new Snapshot(seen);
    }

    /** The differences from an earlier snapshot. */
    List<String> since(Snapshot before) {
        TreeSet<String> names = new TreeSet<>(seen.keySet());
        names.addAll(before.seen.keySet());
        List<String> changes = new ArrayList<>();
        for (String name : names) {
            String then = before.seen.get(name);
            String now = seen.get(name);
            if (then == null) {
                changes.add(name + " is new");
            } else if (now == null) {
                changes.add(name + " is gone");
            } else if (!now.equals(then)) {
                changes.add(name + " changed");
            }
        }
        return changes;
    }

    private static String name(Path folder, Path file) {
        return folder.relativize(file).toString();
    }

    private static List<Path> files(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).toList();
        } catch (IOException | UncheckedIOException e) {
            throw new ScoreRefused("WATCH", "the files under " + folder + " can't be listed: " + e.getMessage());
        }
    }

    private static Optional<String> digest(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            new DigestInputStream(in, sha).transferTo(OutputStream.nullOutputStream());
            return Optional.of(HexFormat.of().formatHex(sha.digest()));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new ScoreRefused("WATCH", "the file " + file + " can't be read: " + e.getMessage());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JVM has SHA-256", e);
        }
    }
}
