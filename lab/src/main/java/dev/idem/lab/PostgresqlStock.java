package dev.idem.lab;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * The unpacked programs of PostgreSQL and an empty database. Both take seconds to make. If the property
 * {@value #SHARED} names a folder, they are made there once for all processes.
 */
public final class PostgresqlStock {
    private static final String SHARED = "idem.lab.postgresql";
    private static final String PROGRAMS = "programs";
    private static final String DATABASE = "database";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration GLANCE = Duration.ofMillis(5);
    private static final ReentrantLock LOCK = new ReentrantLock();

    private PostgresqlStock() {}

    /**
     * The builder of a server with production durability.
     *
     * @param own the folder of its programs, if they are not shared
     * @param data the folder of its database, created if it is missing; it stays when the server stops
     */
    public static EmbeddedPostgres.Builder server(Path own, Path data) throws IOException {
        String named = System.getProperty(SHARED);
        if (named == null) {
            return builder(own, data);
        }
        Path stock = Path.of(named).toAbsolutePath();
        if (!Files.exists(stock)) {
            makeOnce(stock);
        }
        if (!Files.exists(data)) {
            copy(stock.resolve(DATABASE), data);
        }
        return builder(stock.resolve(PROGRAMS), data);
    }

    private static EmbeddedPostgres.Builder builder(Path programs, Path data) {
        return EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(programs.toFile())
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("unix_socket_directories", "")
                .setServerConfig("listen_addresses", "127.0.0.1")
                .setPGStartupWait(PATIENCE);
    }

    private static void makeOnce(Path stock) throws IOException {
        Files.createDirectories(stock.resolveSibling(""));
        // For the threads of this process: a file lock belongs to the whole process.
        LOCK.lock();
        try (FileChannel file = FileChannel.open(
                        stock.resolveSibling(stock.getFileName() + ".lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
                FileLock ours = file.lock()) {
            if (ours.isValid() && !Files.exists(stock)) {
                make(stock);
            }
        } finally {
            LOCK.unlock();
        }
    }

    /** Makes it in another folder and moves it when complete: a killed process leaves no partial stock. */
    private static void make(Path stock) throws IOException {
        try (TempFolder aside = new TempFolder(stock.resolveSibling(""))) {
            Path made = Files.createDirectory(aside.file("stock"));
            builder(made.resolve(PROGRAMS), made.resolve(DATABASE)).start().close();
            awaitEnd(made.resolve(DATABASE));
            Files.move(made, stock, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Waits until the server of a database has ended: a busy server may take longer than the stop waits. */
    static void awaitEnd(Path data) throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (runs(data.resolve("postmaster.pid"))) {
            if (System.nanoTime() - end > 0) {
                throw new IOException("the server of " + data + " does not stop");
            }
            LockSupport.parkNanos(GLANCE.toNanos());
        }
    }

    private static boolean runs(Path pid) throws IOException {
        try (Stream<String> lines = Files.lines(pid)) {
            return ProcessHandle.of(Long.parseLong(lines.findFirst().orElse("0").strip()))
                    .isPresent();
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to.resolveSibling(""));
        List<Path> parentsFirst;
        try (Stream<Path> all = Files.walk(from)) {
            parentsFirst = all.toList();
        }
        for (Path each : parentsFirst) {
            // The server refuses a folder that others may read.
            Files.copy(each, to.resolve(from.relativize(each)), StandardCopyOption.COPY_ATTRIBUTES);
        }
    }
}
