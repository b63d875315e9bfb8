package dev.idem.mcp;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The streams of events that pass from the server to its hosts. A host that leaves a stream says nothing. It is noticed
 * when a comment can't be written, and then the server's end of the stream is closed: many servers allow only one stream
 * for a session. Thread-safe.
 */
final class OpenStreams {
    private static final System.Logger LOG = System.getLogger("dev.idem.mcp");
    private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    /** How long the other end of a closed connection needs to refuse what was written. */
    private static final int MILLIS_TO_REFUSE = 50;

    private final Set<OpenStream> streams = ConcurrentHashMap.newKeySet();

    /** A stream that passes. */
    final class OpenStream implements AutoCloseable {
        private final Optional<String> session;
        private final InputStream in;
        private final OutputStream out;
        private final ReentrantLock writing = new ReentrantLock();

        private OpenStream(Optional<String> session, InputStream in, OutputStream out) {
            this.session = session;
            this.in = in;
            this.out = out;
        }

        void write(byte[] bytes) throws IOException {
            writing.lock();
            try {
                out.write(bytes);
                out.flush();
            } finally {
                writing.unlock();
            }
        }

        /** Closes the server's end if no host reads here. A stream that is being written needs no check. */
        private void check() {
            if (!writing.tryLock()) {
                return;
            }
            try {
                out.write(COMMENT);
                out.flush();
            } catch (IOException left) {
                LOG.log(Level.DEBUG, "a host has left its stream", left);
                closeServerEnd();
            } finally {
                writing.unlock();
            }
        }

        private void closeServerEnd() {
            try {
                in.close();
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "the server has closed it already", e);
            }
        }

        /** The stream has passed. */
        @Override
        public void close() {
            streams.remove(this);
        }
    }

    OpenStream open(Optional<String> session, InputStream in, OutputStream out) {
        OpenStream stream = new OpenStream(session, in, out);
        streams.add(stream);
        return stream;
    }

    /** Closes the streams that no host reads any more, once it is known. Hosts ignore the comment. */
    void check() {
        streams.forEach(OpenStream::check);
    }

    /** Closes the streams of a session that no host reads any more. */
    void checkNow(Optional<String> session) throws InterruptedException {
        if (streams.stream().noneMatch(stream -> stream.session.equals(session))) {
            return;
        }
        // The first comment is accepted even if nobody is there. It is refused later, and so is the second.
        for (int i = 0; i < 2; i++) {
            streams.stream().filter(stream -> stream.session.equals(session)).forEach(OpenStream::check);
            TimeUnit.MILLISECONDS.sleep(MILLIS_TO_REFUSE);
        }
    }
}
