package dev.idem.torture.subject;

import dev.idem.lab.Proxy;
import dev.idem.server.Access;
import dev.idem.server.TokenFile;
import dev.idem.spi.Host;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** The remote ledger: a server with a SQLite file, in a process of its own, behind a proxy. */
final class HttpSubject implements Subject {
    private final SqliteSubject stored;
    private final Path tokens;
    private final Path secret;
    private final Path output;
    private final Proxy proxy;
    private final ReentrantLock lock = new ReentrantLock();
    private Process server;
    private boolean closed;

    HttpSubject(Path folder) throws IOException {
        this.stored = new SqliteSubject(folder);
        this.tokens = folder.resolve("tokens.json");
        this.secret = folder.resolve("token");
        this.output = folder.resolve("server.log");
        Files.writeString(secret, new TokenFile(tokens, Host.system()).add("workers", Access.ALL, null));
        this.server = start();
        this.proxy = new Proxy(port(server));
    }

    private Process start() throws IOException {
        List<String> command = new ArrayList<>();
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData"));
        command.addAll(stored.jvmOptions());
        command.addAll(List.of(
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                ServerMain.class.getName(),
                stored.url(),
                tokens.toString()));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(output.toFile()))
                .start();
    }

    private int port(Process started) throws IOException {
        String port = started.inputReader(StandardCharsets.UTF_8).readLine();
        if (port == null) {
            throw new IOException("the server did not start: " + Files.readString(output));
        }
        return Integer.parseInt(port);
    }

    @Override
    public Set<Deed> deeds() {
        return EnumSet.complementOf(EnumSet.of(Deed.FULL, Deed.FAILOVER, Deed.JUMP));
    }

    @Override
    public String url() {
        return "http://127.0.0.1:" + proxy.port() + "?timeout=2s&token=file:" + secret;
    }

    /** The file itself: what a server has acknowledged must be there without it. */
    @Override
    public String plainUrl() {
        return stored.url();
    }

    @Override
    public List<String> jvmOptions() {
        return stored.jvmOptions();
    }

    @Override
    public Optional<Proxy> proxy() {
        return Optional.of(proxy);
    }

    @Override
    public Optional<String> damage() {
        return stored.damage();
    }

    @Override
    public void restart() throws IOException {
        lock.lock();
        try {
            if (!closed) {
                server.destroyForcibly().onExit().join();
                server = start();
                proxy.turnTo(port(server));
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        proxy.close();
        // Waits for a running restart, so that no server is started after the close.
        lock.lock();
        try {
            closed = true;
            server.destroyForcibly().onExit().join();
        } finally {
            lock.unlock();
        }
    }
}
