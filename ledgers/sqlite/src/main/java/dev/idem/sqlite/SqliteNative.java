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
 * Loads the native library of SQLite from a folder of the user where it is unpacked once. By itself the driver unpacks
 * it at every start, which takes longer than the rest of opening a ledger, and a process that is killed leaves its copy
 * behind.
 */
public final class SqliteNative {
    private static final String LIBRARY_PATH = "org.sqlite.lib.path";

    /** Where the driver finds its library. With any of them the user has chosen, and the driver is left alone. */
    private static final String[] CHOICES = {LIBRARY_PATH, "org.sqlite.lib.name", "org.sqlite.tmpdir"};

    /**
     * The file that this virtual machine has loaded. A second class loader can't load the same file, and the driver would
     * log that as an error.
     */
    private static final String LOADED = "dev.idem.sqlite.library";

    private static final Lock LOADING = new ReentrantLock();
    private static volatile boolean loaded;

    private SqliteNative() {}

    /**
     * Loads the driver and its library before the first ledger is opened, for programs that start often and have other
     * things to do meanwhile: to be called on a thread of its own. What fails here is reported by the opening.
     */
    @SuppressWarnings("CatchingUnchecked") // the opening meets the same, and says what to do
    public static void loadAhead() {
        try {
            load();
            SqliteConnection.prepare();
        } catch (Exception | LinkageError e) {
            Log.debug("the driver of SQLite was not loaded ahead", e);
        }
    }

    /**
     * Unpacks the library into a folder, unless it is there already, and gives the folder to name by the system property
     * {@code org.sqlite.lib.path} to processes that can't unpack it themselves. They compare it with the folder's name
     * before they load it.
     *
     * @return nothing when the driver has no library for this machine
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

    /** Loads the library once, from the user's cache folder where that can be used. */
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

    /** The driver takes the folder by property alone. Others may have another version of it: the property goes at once. */
    private static void load(Path library) throws Exception {
        System.setProperty(LIBRARY_PATH, String.valueOf(library.getParent()));
        try {
            SQLiteJDBCLoader.initialize();
            System.setProperty(LOADED, library.toString());
        } finally {
            System.clearProperty(LIBRARY_PATH);
        }
    }

    /** The library again where the one that {@link #unpackTo} had unpacked was changed since; else null. */
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
            // Again, now that all folders are there: who made one of them meanwhile could replace the library.
            return library == null ? null : NativeCache.requireOurs(library);
        } catch (IOException | InvalidPathException e) {
            Log.debug("the driver of SQLite unpacks its library for this process alone", e);
            return null;
        }
    }
}
