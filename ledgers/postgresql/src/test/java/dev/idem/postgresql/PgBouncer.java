package dev.idem.postgresql;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.testkit.Until;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A real PgBouncer in transaction mode before the server of the tests, from the host's own binary. */
final class PgBouncer implements AutoCloseable {
    private static final List<String> USERS = List.of("postgres", "pgbouncer", "nobody");

    private final Process process;
    private final int port;

    private PgBouncer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Starts it; skips the test with the reason where the host has none, or will not let it run. */
    static PgBouncer start(int serverPort, Path folder) throws Exception {
        Optional<Path> binary = binary();
        assumeTrue(binary.isPresent(), "there is no pgbouncer on this host (PATH, /usr/sbin, /usr/local/sbin)");
        int port = freePort();
        Path configuration = folder.resolve("pgbouncer.ini");
        Path log = folder.resolve("pgbouncer.out");
        Files.writeString(configuration, """
                [databases]
                postgres = host=127.0.0.1 port=%d dbname=postgres user=postgres
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = transaction
                default_pool_size = 4
                max_client_conn = 100
                ignore_startup_parameters = extra_float_digits
                """.formatted(serverPort, port));
        List<String> command = new ArrayList<>(List.of(binary.get().toString()));
        if (runsAsRoot()) {
            // It refuses to run as root. What it is told it reads before it becomes somebody else.
            Optional<String> user = USERS.stream().filter(PgBouncer::exists).findFirst();
            assumeTrue(user.isPresent(), "pgbouncer does not run as root, and none of " + USERS + " is a user here");
            command.addAll(List.of("-u", user.get()));
        }
        command.add(configuration.toString());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(log.toFile())
                .start();
        PgBouncer bouncer = new PgBouncer(process, port);
        try {
            Until.isTrue("pgbouncer listens or has ended", () -> !process.isAlive() || bouncer.listens());
            assumeTrue(process.isAlive(), () -> "pgbouncer does not start here: " + text(log));
            return bouncer;
        } catch (RuntimeException | AssertionError e) {
            bouncer.close();
            throw e;
        }
    }

    int port() {
        return port;
    }

    private boolean listens() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static Optional<Path> binary() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.concat(Stream.of(path.split(":")), Stream.of("/usr/sbin", "/usr/local/sbin"))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, "pgbouncer"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static boolean runsAsRoot() throws IOException {
        return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    }

    private static boolean exists(String user) {
        try {
            return Files.readAllLines(Path.of("/etc/passwd")).stream().anyMatch(line -> line.startsWith(user + ":"));
        } catch (IOException e) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().completeOnTimeout(process, 60, TimeUnit.SECONDS).join();
        process.destroyForcibly().onExit().join();
    }
}
