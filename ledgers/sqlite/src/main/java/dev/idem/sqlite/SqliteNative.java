package dev.idem.sqlite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteJDBCLoader;

/**
 * Loads the native library of SQLite from a cache folder of the user. The driver alone would unpack it at every start,
 * which takes longer than the rest of opening a ledger, and a killed process would leave its copy behind.
 */
public final class SqliteNative {
    private static final String LIBRARY_PATH = "org.sqlite.lib.path";

    /** Properties that name the driver's library. If the user has set one, the driver loads the library itself. */
    private static final String[] CHOICES = {LIBRARY_PATH, "org.sqlite.lib.name", "org.sqlite.tmpdir"};

    /**
     * The property for the file that this virtual machine has loaded. A second class loader can't load the same file,
     * and the driver would log that as an error.
     */
    private static final String LOADED = "dev.idem.sqlite.library";

    private static final Lock LOADING = new ReentrantLock();
    private static volatile boolean loaded;

    private SqliteNative() {}

    /**
     * Loads the driver and its library before the first ledger is opened. Programs that start often call it on a
     * separate thread. A failure is not reported here; opening a ledger reports it.
     */
    @SuppressWarnings("CatchingUnchecked") // opening a ledger fails the same way, and says what to do
    public static void loadAhead() {
        try {
            load();
            SqliteConnection.prepare();
        } catch (Exception | LinkageError e) {
            Log.debug("the driver of SQLite was not loaded ahead", e);
        }
    }

    /**
     * Unpacks the library into a folder, unless it is there already, and returns the folder. Processes that can't
     * unpack it themselves name that folder in the system property {@code org.sqlite.lib.path}. They compare the
     * library with the checksum in the folder's name before they load it.
     *
     * @return empty if the driver has no library for this platform
     * @throws UncheckedIOException when the folder can't be used
     */
    public static Optional<Path> unpackTo(Path cache) {
        try {
            return NativeCache.at(cache).map(Path::getParent);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the native library of SQLite can't be unpacked to " + cache
                            + "; name a folder that can be written",
                    e);
        }
    }

    /** Loads the library once, from the user's cache folder if that is usable. */
    static void load() throws Exception {
        if (loaded) {
            return;
        }
        LOADING.lock();
        try {
            Path library = cached();
            if (library == null) {
                SQLiteJDBCLoader.initialize();
            } else {
                load(library);
            }
            loaded = true;
        } finally {
            LOADING.unlock();
        }
    }

    /** Sets the driver's property only for the load, because other copies of the driver may need another version. */
    private static void load(Path library) throws Exception {
        System.setProperty(LIBRARY_PATH, String.valueOf(library.getParent()));
        try {
            SQLiteJDBCLoader.initialize();
            System.setProperty(LOADED, library.toString());
        } finally {
            System.clearProperty(LIBRARY_PATH);
        }
    }

    /** Unpacks the library again if the copy of {@link #unpackTo} was changed; else null. */
    private static @Nullable Path mended() {
        String given = System.getProperty(LIBRARY_PATH, "");
        try {
            Path folder = Path.of(given).toAbsolutePath();
            Path cache = folder.getParent();
            return given.isEmpty() || cache == null || NativeCache.isAsNamed(folder)
                    ? null
                    : NativeCache.at(cache).orElse(null);
        } catch (IOException | InvalidPathException e) {
            Log.debug("the driver of SQLite unpacks its library for this process alone", e);
            System.clearProperty(LIBRARY_PATH);
            return null;
        }
    }

    private static @Nullable Path cached() {
        Path mended = mended();
        if (mended != null) {
            return mended;
        }
        for (String choice : CHOICES) {
            if (System.getProperty(choice) != null) {
                return null;
            }
        }
        if (System.getProperty(LOADED) != null) {
            return null;
        }
        try {
            Optional<Path> cache = NativeCache.ofUser(System.getenv(), System.getProperty("user.home", ""));
            Path library = cache.isEmpty() ? null : NativeCache.at(cache.get()).orElse(null);
            // Checked again, now that all folders exist: a user who created one meanwhile could replace the library.
            return library == null ? null : NativeCache.requireOurs(library);
        } catch (IOException | InvalidPathException e) {
            Log.debug("the driver of SQLite unpacks its library for this process alone", e);
            return null;
        }
    }
}
