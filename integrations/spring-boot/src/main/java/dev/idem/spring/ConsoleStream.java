package dev.idem.spring;

import dev.idem.server.Watch;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A response whose server-sent events are written without a thread that waits. It ends after some minutes, and the page
 * begins another one: then the application looks again at who the user is and what the user may do.
 */
final class ConsoleStream implements Watch.Stream, WriteListener, AsyncListener {
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final AsyncContext async;
    private final ServletOutputStream out;
    private final ReentrantLock lock = new ReentrantLock();
    /** Whether the container takes bytes. It tells when it does again. */
    private boolean ready;

    private boolean ended;
    private byte @Nullable [] next;
    private Watch.@Nullable Sent sending;

    private ConsoleStream(AsyncContext async, ServletOutputStream out) {
        this.async = async;
        this.out = out;
    }

    static ConsoleStream begin(HttpServletRequest request, HttpServletResponse response) {
        response.setStatus(200);
        response.setContentType(Watch.MEDIA);
        // A proxy that collects a response would keep every event back.
        response.setHeader("X-Accel-Buffering", "no");
        AsyncContext async = request.startAsync(request, response);
        async.setTimeout(LONGEST.toMillis());
        try {
            ConsoleStream stream = new ConsoleStream(async, response.getOutputStream());
            async.addListener(stream);
            stream.out.setWriteListener(stream);
            return stream;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void send(String text, Watch.Sent sent) {
        lock.lock();
        try {
            if (ended) {
                sent.failed();
                return;
            }
            next = text.getBytes(StandardCharsets.UTF_8);
            sending = sent;
            go();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onWritePossible() {
        lock.lock();
        try {
            ready = true;
            go();
        } finally {
            lock.unlock();
        }
    }

    /** Writes what there is, as far as the container takes it. */
    private void go() {
        try {
            while (ready && !ended && sending != null) {
                byte[] bytes = next;
                if (bytes != null) {
                    next = null;
                    out.write(bytes);
                    ready = out.isReady();
                    continue;
                }
                out.flush();
                ready = out.isReady();
                Watch.Sent done = sending;
                sending = null;
                done.done();
            }
        } catch (IOException | IllegalStateException e) {
            finish();
        }
    }

    @Override
    public void end() {
        finish();
    }

    @Override
    public void onError(Throwable failure) {
        finish();
    }

    /** Ends the response. A reader that is not told so begins another one. */
    private void finish() {
        lock.lock();
        try {
            if (ended) {
                return;
            }
            ended = true;
            if (sending != null) {
                sending.failed();
            }
            async.complete();
        } catch (IllegalStateException e) {
            // The container has ended it.
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        finish();
    }

    @Override
    public void onError(AsyncEvent event) {
        finish();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        lock.lock();
        try {
            ended = true;
            if (sending != null) {
                sending.failed();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onStartAsync(AsyncEvent event) {}
}
