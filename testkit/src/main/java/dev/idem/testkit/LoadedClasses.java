package dev.idem.testkit;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The class path of the tests for their children, with an archive of loaded classes: half of a child's time went into
 * loading them. A child that ends by itself leaves the archive to those after it. An archive knows no folders, so each
 * folder of the class path is a jar here.
 */
final class LoadedClasses {
    /** Some children are killed, and leave none. */
    private static final int MOST_TRIES = 4;

    private static final AtomicInteger TRIES = new AtomicInteger();
    private static final Path FOLDER = makeFolder();
    private static final Path ARCHIVE = FOLDER.resolve("classes.jsa");
    private static final String PATH = jars();

    private final Path own;
    private final boolean leaves;

    private LoadedClasses(Path own, boolean leaves) {
        this.own = own;
        this.leaves = leaves;
    }

    /** Those of one child, which may leave the archive or not. */
    static LoadedClasses forChild(boolean mayLeave) {
        int number = mayLeave && !Files.exists(ARCHIVE) ? TRIES.incrementAndGet() : Integer.MAX_VALUE;
        return new LoadedClasses(FOLDER.resolve("classes-" + number + ".jsa"), number <= MOST_TRIES);
    }

    /** The options of a child. */
    List<String> options() {
        String archive = leaves ? "-XX:ArchiveClassesAtExit=" + own : "-XX:SharedArchiveFile=" + ARCHIVE;
        return List.of("-Xshare:auto", "-Xlog:disable", "-Xlog:all=off", archive, "-cp", PATH);
    }

    /** To be called when the child was started with them. */
    void started(Process child) {
        if (leaves) {
            var unused = child.onExit().thenAccept(ended -> keep(ended.exitValue()));
        }
    }

    private void keep(int exit) {
        try {
            if (exit == 0 && Files.exists(own)) {
                Files.move(own, ARCHIVE, StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path makeFolder() {
        try {
            Path folder = Files.createTempDirectory("children-");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(folder)));
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String jars() {
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Stream.of(path.split(File.pathSeparator))
                .map(part -> Files.isDirectory(Path.of(part)) ? jar(Path.of(part)) : part)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String jar(Path folder) {
        try {
            Path jar = Files.createTempFile(FOLDER, "classes-", ".jar");
            try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                    Stream<Path> files = Files.walk(folder)) {
                out.setLevel(0);
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    out.putNextEntry(new JarEntry(folder.relativize(file).toString()));
                    Files.copy(file, out);
                }
            }
            return jar.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void remove(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
