package dev.idem.sqlite;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;

/**
 * A folder with the native library of SQLite, one file for each version and platform.
 *
 * <p>A library runs with all rights of the program that loads it. So it is loaded only if it is complete (by size and
 * CRC-32 of the driver's own copy) and only this user or the administrator could have written it.
 */
final class NativeCache {
    private static final int STICKY = 01000;
    private static final String NAME = "sqlite-";
    private static final String UNFINISHED = "unpacking-";
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> WRITE_BY_OTHERS = PosixFilePermissions.fromString("----w--w-");

    private final Path folder;
    private final Path library;
    private final URL packed;
    private final Print print;

    private NativeCache(Path folder, URL packed, Print print) {
        this.folder = folder;
        this.library = folder.resolve(LibraryLoaderUtil.getNativeLibName());
        this.packed = packed;
        this.print = print;
    }

    /**
     * The user's cache folder, by the same rules as the command {@code idem}.
     *
     * @throws IOException if it belongs to another user, for instance under sudo: a library from there would give that
     *     user the rights of this one
     */
    static Optional<Path> ofUser(Map<String, String> env, String userHome) throws IOException {
        Path given = Path.of(env.getOrDefault("XDG_CACHE_HOME", ""));
        Path home = Path.of(env.getOrDefault("HOME", userHome));
        if (given.isAbsolute()) {
            return Optional.of(requireOurs(given.resolve("idem")));
        }
        return home.isAbsolute() && Files.isDirectory(home)
                ? Optional.of(requireOurs(home.resolve(".cache").resolve("idem")))
                : Optional.empty();
    }

    /**
     * Checks all parent folders too: a user who owns or may write one of them could replace the folder.
     *
     * @throws IOException if that is another user
     */
    static Path requireOurs(Path cache) throws IOException {
        Path existing = cache;
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        for (Path above = existing.toRealPath(); above != null; above = above.getParent()) {
            if (!belongsToUs(above)) {
                throw new IOException(above + " belongs to " + Files.getOwner(above));
            } else if (isPosix(above)
                    && !Collections.disjoint(Files.getPosixFilePermissions(above), WRITE_BY_OTHERS)
                    && !isSticky(above)) {
                throw new IOException(above + " can be written by others");
            }
        }
        return cache;
    }

    /**
     * The library in this folder, unpacked if it is missing. Empty if the driver has none for this platform.
     *
     * @throws IOException if the folder can't be used, or others could change its content
     */
    static Optional<Path> at(Path cache) throws IOException {
        URL packed = SQLiteJDBCLoader.class.getResource(
                LibraryLoaderUtil.getNativeLibResourcePath() + "/" + LibraryLoaderUtil.getNativeLibName());
        if (packed == null) {
            return Optional.empty();
        }
        Print print = Print.of(packed);
        // The name contains the checksum: different platforms may share a home without replacing each other's file.
        String name = NAME + SQLiteJDBCLoader.getVersion() + "-" + Long.toHexString(print.crc());
        NativeCache found = new NativeCache(privateFolder(cache.resolve(name).toAbsolutePath()), packed, print);
        found.unpackIfNeeded();
        return Optional.of(found.library);
    }

    /**
     * Whether the library in a folder of this cache matches the checksum in its name; true for every other folder. This
     * does not open the jar of the driver.
     */
    static boolean isAsNamed(Path folder) throws IOException {
        String name = String.valueOf(folder.getFileName());
        return !name.startsWith(NAME)
                || name.endsWith("-"
                        + Long.toHexString(Print.of(folder.resolve(LibraryLoaderUtil.getNativeLibName()))
                                .crc()));
    }

    private void unpackIfNeeded() throws IOException {
        if (isWhole()) {
            return;
        }
        try {
            unpack();
        } catch (IOException e) {
            // Another process may have unpacked it first.
            if (!isWhole()) {
                throw e;
            }
        }
    }

    private boolean isWhole() throws IOException {
        return Files.isRegularFile(library, LinkOption.NOFOLLOW_LINKS)
                && belongsToUs(library)
                && Print.of(library).equals(print);
    }

    private void unpack() throws IOException {
        Path unfinished = Files.createTempFile(folder, UNFINISHED, ".tmp");
        try (InputStream in = uncached(packed).getInputStream()) {
            Files.copy(in, unfinished, StandardCopyOption.REPLACE_EXISTING);
            // Processes that have loaded the old file keep it; others see the old or the new file, never a part.
            Files.move(unfinished, library, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(unfinished);
        }
        // Removes files of killed processes. A process that still unpacks will find the complete library.
        try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, UNFINISHED + "*")) {
            for (Path file : left) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static Path privateFolder(Path folder) throws IOException {
        if (!isPosix(folder)) {
            return Files.createDirectories(folder);
        }
        Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        if (!belongsToUs(folder) || !Collections.disjoint(Files.getPosixFilePermissions(folder), WRITE_BY_OTHERS)) {
            throw new IOException(folder + " can be written by others; make it yours alone with chown and chmod 700");
        }
        return folder;
    }

    /** Whether this user or the administrator owns it. */
    private static boolean belongsToUs(Path file) throws IOException {
        if (!isPosix(file)) {
            return true;
        }
        UserPrincipal owner = Files.getOwner(file);
        return owner.equals(Files.getOwner(file.getRoot()))
                || owner.equals(file.getFileSystem()
                        .getUserPrincipalLookupService()
                        .lookupPrincipalByName(System.getProperty("user.name")));
    }

    /** Whether only the owner of a file can remove or rename it in this folder. */
    private static boolean isSticky(Path folder) throws IOException {
        return folder.getFileSystem().supportedFileAttributeViews().contains("unix")
                && Files.getAttribute(folder, "unix:mode") instanceof Integer mode
                && (mode & STICKY) != 0;
    }

    private static boolean isPosix(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /** Not from the shared jar cache of the JVM: its jars stay open, and closing them would affect other code. */
    private static URLConnection uncached(URL packed) throws IOException {
        URLConnection connection = packed.openConnection();
        connection.setUseCaches(false);
        return connection;
    }

    /** The size and checksum of a complete library. */
    private record Print(long size, long crc) {
        static Print of(Path file) throws IOException {
            try (InputStream in = Files.newInputStream(file)) {
                return of(in);
            }
        }

        /** Read from the directory of the jar, without unpacking. */
        static Print of(URL packed) throws IOException {
            URLConnection connection = uncached(packed);
            if (connection instanceof JarURLConnection inJar) {
                try (JarFile jar = inJar.getJarFile()) {
                    ZipEntry entry = jar.getEntry(inJar.getEntryName());
                    if (entry != null && entry.getCrc() != -1) {
                        return new Print(entry.getSize(), entry.getCrc());
                    }
                }
            }
            try (InputStream in = uncached(packed).getInputStream()) {
                return of(in);
            }
        }

        private static Print of(InputStream in) throws IOException {
            CRC32 crc = new CRC32();
            long size = new CheckedInputStream(in, crc).transferTo(OutputStream.nullOutputStream());
            return new Print(size, crc.getValue());
        }
    }
}
