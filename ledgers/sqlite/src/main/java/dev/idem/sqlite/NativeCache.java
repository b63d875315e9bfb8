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
 * A folder that keeps the native library of SQLite, a file for each version and machine.
 *
 * <p>A library runs with all rights of the program that loads it. So it is loaded only if it is whole (by size and CRC-32
 * of the driver's own copy) and if only this user, or the administrator, could have put it there.
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
     * The user's folder for files that can be made again, by the rules that {@code idem} and most programs follow.
     *
     * @throws IOException when it belongs to somebody else, as the home of a program run by sudo may: a library from there
     *     would give that user the rights of this one
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
     * Looks at all folders above as well: who owns or may write one of them could put another one in its place.
     *
     * @throws IOException when that is somebody else
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
     * The library in this folder, unpacked if it is not there. Nothing when the driver has none for this machine.
     *
     * @throws IOException when the folder can't be used, or others could change what is in it
     */
    static Optional<Path> at(Path cache) throws IOException {
        URL packed = SQLiteJDBCLoader.class.getResource(
                LibraryLoaderUtil.getNativeLibResourcePath() + "/" + LibraryLoaderUtil.getNativeLibName());
        if (packed == null) {
            return Optional.empty();
        }
        Print print = Print.of(packed);
        // Named by what is in it: hosts of several kinds may share a home, and never replace each other's.
        String name = NAME + SQLiteJDBCLoader.getVersion() + "-" + Long.toHexString(print.crc());
        NativeCache found = new NativeCache(privateFolder(cache.resolve(name).toAbsolutePath()), packed, print);
        found.unpackIfNeeded();
        return Optional.of(found.library);
    }

    /**
     * Whether the library in a folder that was made here is what the folder's name says; true for every other folder. The
     * jar of the driver need not be opened for it.
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
            // Another process may have been quicker.
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
            // Who has the old file loaded keeps it; who looks meanwhile sees one or the other, never half.
            Files.move(unfinished, library, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(unfinished);
        }
        // What processes have left that were killed here. Who still unpacks will find the whole library instead.
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

    /** Whether nobody but its owner can take away or rename what is in a folder. */
    private static boolean isSticky(Path folder) throws IOException {
        return folder.getFileSystem().supportedFileAttributeViews().contains("unix")
                && Files.getAttribute(folder, "unix:mode") instanceof Integer mode
                && (mode & STICKY) != 0;
    }

    private static boolean isPosix(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /** Not from the jars that all of the virtual machine shares: these stay open, and closing them would hurt others. */
    private static URLConnection uncached(URL packed) throws IOException {
        URLConnection connection = packed.openConnection();
        connection.setUseCaches(false);
        return connection;
    }

    /** By what a whole library is known. */
    private record Print(long size, long crc) {
        static Print of(Path file) throws IOException {
            try (InputStream in = Files.newInputStream(file)) {
                return of(in);
            }
        }

        /** A jar knows both of each of its files, without unpacking it. */
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
