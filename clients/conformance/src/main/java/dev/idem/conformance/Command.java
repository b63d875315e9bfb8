package dev.idem.conformance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** Starts a driver as a process. */
record Command(List<String> words) implements Launcher {
    @Override
    public Started start(Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().putAll(environment);
        try {
            return new Running(builder.start());
        } catch (IOException e) {
            throw new IllegalArgumentException("the driver can't be started: " + e.getMessage(), e);
        }
    }

    private static final class Running implements Started {
        private static final int MOST_LINES = 20;

        private final Process process;
        private final Deque<String> stderr = new ArrayDeque<>();

        Running(Process process) {
            this.process = process;
            Thread reader = new Thread(this::readWords, "conformance-stderr");
            reader.setDaemon(true);
            reader.start();
        }

        private void readWords() {
            try (BufferedReader lines = process.errorReader()) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    synchronized (stderr) {
                        stderr.addLast(line);
                        if (stderr.size() > MOST_LINES) {
                            stderr.removeFirst();
                        }
                    }
                }
            } catch (IOException e) {
                // It has ended.
            }
        }

        @Override
        public OutputStream in() {
            return process.getOutputStream();
        }

        @Override
        public InputStream out() {
            return process.getInputStream();
        }

        @Override
        public long pid() {
            return process.pid();
        }

        @Override
        public String words() {
            synchronized (stderr) {
                return String.join("\n", stderr);
            }
        }

        @Override
        public boolean kill() {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().onExit().join();
            return true;
        }
    }
}
