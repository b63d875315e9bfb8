package dev.idem.mcp.http;

import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Streams of a server that pass to their hosts. Thread-safe. */
final class PassingStreams {
    private static final System.Logger LOG = System.getLogger("dev.idem.mcp");

    /** How long the other end of a closed connection needs to refuse what was written. */
    private static final int MILLIS_TO_REFUSE = 50;

    /** How long a new stream waits for comments on the old ones to be written. */
    private static final Duration TO_WRITE = Duration.ofSeconds(1);

    /** The second finds a host that is gone, and the third one that is far away. */
    private static final int MOST_COMMENTS = 3;

    private final Set<Passing> all = ConcurrentHashMap.newKeySet();

    /**
     * A stream of the server that passes to its host.
     *
     * @param session the session of the host; empty where it named none
     */
    record Passing(HostStream out, InputStream in, Optional<String> session) {}

    /** Adds a stream before its host sees the head: the host may leave at once and come back. */
    Passing add(InputStream in, Optional<String> session, Executor workers) {
        Passing stream = new Passing(new HostStream(workers, () -> close(in)), in, session);
        all.add(stream);
        return stream;
    }

    void remove(Passing stream) {
        all.remove(stream);
    }

    /** Finds out which hosts are gone. Their streams are closed. */
    void ping() {
        all.forEach(each -> each.out.ping());
    }

    void closeAll() {
        all.forEach(each -> close(each.in));
    }

    /**
     * Closes the streams of a session whose host is gone. A host that opens a new stream has often left the old one, and
     * many servers allow one for each session. Comments, which hosts ignore, are written to the old streams; one that
     * can't be written closes its stream.
     */
    void closeAbandoned(String session) throws InterruptedException {
        long end = System.nanoTime() + TO_WRITE.toNanos();
        List<Passing> old = ofSession(session);
        // The first comment is accepted even if the host is gone, and the second is refused.
        for (int i = 1; i <= MOST_COMMENTS && !old.isEmpty(); i++) {
            old.forEach(each -> each.out.ping());
            for (Passing each : old) {
                each.out.awaitWritten(end);
            }
            TimeUnit.MILLISECONDS.sleep((long) i * MILLIS_TO_REFUSE);
            old = ofSession(session);
        }
    }

    private List<Passing> ofSession(String session) {
        return all.stream()
                .filter(each -> each.session.filter(session::equals).isPresent())
                .toList();
    }

    private static void close(InputStream ofServer) {
        try {
            ofServer.close();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "the server is gone as well", e);
        }
    }
}
