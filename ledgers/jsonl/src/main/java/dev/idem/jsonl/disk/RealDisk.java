package dev.idem.jsonl.disk;

import dev.idem.internal.ledger.LedgerPaths;
import java.io.File;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** The file system of this host. */
public final class RealDisk implements Disk {
    @Override
    public OpenFile open(Path file) throws IOException {
        return new RealFile(file);
    }

    @Override
    public OpenFile create(Path file) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, LedgerPaths.ownerOnly(file));
        return new RealFile(file);
    }

    @Override
    public boolean exists(Path file) {
        return Files.exists(file);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void syncFolder(Path folder) throws IOException {
        if (File.separatorChar == '\\') {
            // Windows can't open folders; it syncs names by itself.
            return;
        }
        boolean interrupted = false;
        try {
            while (true) {
                try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                    channel.force(true);
                    return;
                } catch (ClosedByInterruptException e) {
                    // An interrupt closes the channel; the folder must be synced all the same.
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public FileMark mark(Path file) throws IOException {
        return FileMark.of(file);
    }

    @Override
    public void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
    }

    @Override
    public Lock lock(Path file) throws IOException {
        if (!Files.exists(file)) {
            try {
                Files.createFile(file, LedgerPaths.ownerOnly(file));
            } catch (java.nio.file.FileAlreadyExistsException e) {
                // Another process created it first; one of the two will get the lock.
            }
        }
        return LockFile.hold(file);
    }
}
