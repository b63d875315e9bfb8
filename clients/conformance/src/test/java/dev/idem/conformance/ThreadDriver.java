package dev.idem.conformance;

import dev.idem.conformance.reference.Mistake;
import dev.idem.conformance.reference.ReferenceDriver;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;

/** The reference driver in a thread of this process, which starts in no time. */
final class ThreadDriver implements Launcher.Started {
    private final LineQueue jobs = new LineQueue();
    private final LineQueue answers = new LineQueue();

    ThreadDriver(Map<String, String> environment, Set<Mistake> mistakes) {
        Thread thread = new Thread(() -> {
            try {
                ReferenceDriver.run(environment, jobs, to(answers), mistakes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                answers.end();
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private static OutputStream to(LineQueue queue) {
        return new OutputStream() {
            @Override
            public void write(int b) {
                queue.put(new byte[] {(byte) b});
            }

            @Override
            public void write(byte[] bytes, int from, int length) {
                queue.put(java.util.Arrays.copyOfRange(bytes, from, from + length));
            }

            @Override
            public void close() {
                queue.end();
            }
        };
    }

    @Override
    public OutputStream in() {
        return to(jobs);
    }

    @Override
    public InputStream out() {
        return answers;
    }

    @Override
    public long pid() {
        return ProcessHandle.current().pid();
    }

    @Override
    public String words() {
        return "";
    }

    @Override
    public boolean kill() {
        return false;
    }
}
