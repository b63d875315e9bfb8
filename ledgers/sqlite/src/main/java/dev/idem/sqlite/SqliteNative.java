package dev.idem.sqlite;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.OSInfo;

/**
 * Unpacks the native library of SQLite once, for programs that start often. By itself the driver unpacks it at every
 * start, which takes longer than the rest of opening a ledger.
 */
public final class SqliteNative {
    private static final String LIBRARY_PATH = "org.sqlite.lib.path";
    private static final String LIBRARY_NAME = "org.sqlite.lib.name";

    private SqliteNative() {}

    /**
     * Unpacks the library into a folder, unless it is there already, and tells the driver to load it from there. To be
     * called before the first ledger is opened; does nothing when the driver was told where to look by system property
     * or has no library for this machine.
     *
     * <p>What lies in the folder is loaded only if it is whole (by size and CRC-32 of the driver's own copy) and nobody
     * else could have put it there: another's library would run with all rights of this program.
     *
     * @param cache created, for the owner alone, where it is missing
     * @throws UncheckedIOException when the folder can't be used
     */
    public static void unpackTo(Path cache) {
        if (System.getProperty(LIBRARY_PATH) != null || System.getProperty(LIBRARY_NAME) != null) {
            return;
        }
        String name = System.mapLibraryName("sqlitejdbc");
        URL packed = SQLiteJDBCLoader.class.getResource(
                "/org/sqlite/native/" + OSInfo.getNativeLibFolderPathForCurrentOS() + "/" + name);
        if (packed == null) {
            return;
        }
        try {
            Path folder = cache.resolve(SQLiteJDBCLoader.getVersion()).toAbsolutePath();
            Files.createDirectories(folder, ownerOnly(folder));
            requirePrivate(folder);
            Path library = folder.resolve(name);
            if (!Files.isRegularFile(library, LinkOption.NOFOLLOW_LINKS)
                    || !Print.of(library).equals(Print.of(packed))) {
                unpack(packed, folder, library);
            }
            System.setProperty(LIBRARY_PATH, folder.toString());
            System.setProperty(LIBRARY_NAME, name);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the native library of SQLite can't be unpacked to " + cache
                            + "; name a folder that can be written",
                    e);
        }
    }

    /**
     * Loads the driver and its library before the first ledger is opened, for programs that start often and have other
     * things to do meanwhile: to be called on a thread of its own. What fails here is reported by the opening.
     */
    @SuppressWarnings("CatchingUnchecked") // the opening meets the same, and says what to do
    public static void load() {
        try {
            SQLiteJDBCLoader.initialize();
        } catch (Exception | LinkageError e) {
            System.getLogger(SqliteNative.class.getName())
                    .log(System.Logger.Level.DEBUG, "the driver of SQLite was not loaded ahead", e);
        }
    }

    private static void unpack(URL packed, Path folder, Path library) throws IOException {
        Path unfinished = Files.createTempFile(folder, "unpacking-", ".tmp");
        try (InputStream in = packed.openStream()) {
            Files.copy(in, unfinished, StandardCopyOption.REPLACE_EXISTING);
            // Whoever has the old file loaded keeps it; whoever looks meanwhile sees one or the other, never half.
            Files.move(unfinished, library, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    private static void requirePrivate(Path folder) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(folder, PosixFileAttributeView.class);
        if (view == null) {
            return;
        }
        Set<PosixFilePermission> permissions = view.readAttributes().permissions();
        if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new IOException(folder + " can be written by others; make it yours alone with chmod 700");
        }
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
            URLConnection connection = packed.openConnection();
            if (connection instanceof JarURLConnection jar) {
                JarEntry entry = jar.getJarEntry();
                if (entry != null && entry.getCrc() != -1) {
                    return new Print(entry.getSize(), entry.getCrc());
                }
            }
            try (InputStream in = connection.getInputStream()) {
                return of(in);
            }
        }

        private static Print of(InputStream in) throws IOException {
            CRC32 crc = new CRC32();
            long size = new CheckedInputStream(in, crc).transferTo(OutputStream.nullOutputStream());
            return new Print(size, crc.getValue());
        }
    }

    private static FileAttribute<?>[] ownerOnly(Path folder) {
        return folder.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
    }
}
