package dev.idem.torture.siege;

import dev.idem.server.Access;
import dev.idem.server.TokenFile;
import dev.idem.spi.Host;
import dev.idem.torture.subject.ServerMain;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** A server on the network, in a process of its own, with the heap that is promised to be enough. */
final class SiegedServer implements AutoCloseable {
    private static final String HEAP = "-Xmx128m";
    private static final Pattern PEAK = Pattern.compile("VmHWM:\\s*(\\d+) kB");

    private final Path log;
    private final TokenFile tokens;
    private final Process process;
    private final int port;

    /**
     * Starts it.
     *
     * @param classes folders and jars in front of the server's own, for a server with other limits; may be empty
     */
    SiegedServer(Path folder, String name, String ledger, String classes) throws IOException {
        log = folder.resolve(name + ".log");
        Path file = folder.resolve(name + "-tokens.json");
        tokens = new TokenFile(file, Host.system());
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        HEAP,
                        "-XX:+UseSerialGC",
                        "-XX:-UsePerfData",
                        "-cp",
                        classes.isEmpty() ? path : classes + File.pathSeparator + path,
                        ServerMain.class.getName(),
                        ledger,
                        file.toString()))
                .redirectError(log.toFile());
        // As the launcher does.
        builder.environment().putIfAbsent("MALLOC_ARENA_MAX", "2");
        process = builder.start();
        String told = process.inputReader(StandardCharsets.UTF_8).readLine();
        if (told == null) {
            throw new IOException("the server did not start: " + Files.readString(log));
        }
        port = Integer.parseInt(told);
    }

    int port() {
        return port;
    }

    /** The secret of a new token. */
    String token(String name, List<String> rights, String scope) throws IOException {
        return tokens.add(name, Access.of(rights, List.of(scope)), null);
    }

    boolean isHealthy() {
        try (Wire wire = new Wire(port)) {
            return process.isAlive() && wire.ask("/healthz", "", "").status() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    /** What it has said of its limits, and why it has ended. */
    List<String> warnings() throws IOException {
        try (var lines = Files.lines(log)) {
            return lines.filter(line -> line.matches("(WARNING|SEVERE|idem): .*"))
                    .map(line -> line.substring(line.indexOf(": ") + 2))
                    .distinct()
                    .toList();
        }
    }

    /** The most memory that it ever had, in MB; 0 where that is not known. */
    long peak() {
        try (var lines = Files.lines(Path.of("/proc", String.valueOf(process.pid()), "status"))) {
            return lines.map(PEAK::matcher)
                    .filter(line -> line.matches())
                    .mapToLong(line -> Long.parseLong(line.group(1)) / 1024)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
