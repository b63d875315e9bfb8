package dev.idem.spi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * This host: its clocks and its processes.
 *
 * <p>On Linux a process is known by its pid and its start in ticks since boot, and {@link System#nanoTime()} is the
 * same clock in every process of one boot and one time namespace. Where that can't be read, moments are wall time
 * alone and no process is known to be dead: leases decide, which is slower but never wrong.
 */
public final class Host implements Clocks, Processes {
    private static final Path PROC = Path.of("/proc");
    private static final Pattern UUID_FORM = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private final Path proc;
    private final String boot;
    private final String processes;

    private Host(Path proc, String boot, String processes) {
        this.proc = proc;
        this.boot = boot;
        this.processes = processes;
    }

    /** The host this program runs on. */
    public static Host system() {
        return of(PROC);
    }

    static Host of(Path proc) {
        String bootId = shortened(read(proc.resolve("sys/kernel/random/boot_id")));
        if (bootId.isEmpty()) {
            return new Host(proc, "", "");
        }
        String time = link(proc.resolve("self/ns/time"));
        String pids = link(proc.resolve("self/ns/pid"));
        // Process 1 always exists. Where it is hidden, other live processes are hidden too, and absence proves nothing.
        boolean all = Files.exists(proc.resolve("1/stat"));
        return new Host(proc, bootId + "/" + time, pids.isEmpty() || !all ? "" : bootId + "/" + pids);
    }

    @Override
    public Moment now() {
        return new Moment(Instant.now(), boot, boot.isEmpty() ? 0 : System.nanoTime());
    }

    @Override
    public Life of(ProcessRef process) {
        if (processes.isEmpty() || !processes.equals(process.host())) {
            return Life.UNKNOWN;
        }
        try {
            return startOf(process.pid()) == process.start() ? Life.ALIVE : Life.DEAD;
        } catch (NoSuchFileException e) {
            return Life.DEAD;
        } catch (IOException | RuntimeException e) {
            return Life.UNKNOWN;
        }
    }

    /** A reference to the process with this pid; empty where the process is gone or the host can't tell. */
    public Optional<ProcessRef> process(long pid) {
        if (processes.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new ProcessRef(processes, pid, startOf(pid)));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    /** This program as an owner. */
    public Owner self() {
        long pid = ProcessHandle.current().pid();
        return new Owner(name(pid), process(pid).orElse(null));
    }

    /** The name of a process for people on any host: {@code ann@web-1 pid 17}. */
    public String name(long pid) {
        String user = System.getProperty("user.name", "");
        String host;
        try {
            host = Files.readString(proc.resolve("sys/kernel/hostname")).strip();
        } catch (IOException e) {
            host = "";
        }
        String where = host.isEmpty() || user.isEmpty() ? user + host : user + "@" + host;
        return where.isEmpty() ? "pid " + pid : where + " pid " + pid;
    }

    /** Start in ticks since boot; a zombie without running threads counts as gone. */
    private long startOf(long pid) throws IOException {
        Path folder = proc.resolve(Long.toString(pid));
        String stat = Files.readString(folder.resolve("stat"), StandardCharsets.ISO_8859_1);
        // The second field is the command in parentheses and may hold spaces and parentheses itself.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        if ("Z".equals(fields[0]) || "X".equals(fields[0])) {
            String[] tasks = folder.resolve("task").toFile().list();
            if (tasks == null || tasks.length <= 1) {
                throw new NoSuchFileException("/proc/" + pid);
            }
        }
        return Long.parseLong(fields[19]);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).trim();
        } catch (IOException | RuntimeException e) {
            return "";
        }
    }

    /** A short form of a UUID, 22 characters for its 16 bytes, since every entry holds it. */
    private static String shortened(String bootId) {
        if (!UUID_FORM.matcher(bootId).matches()) {
            return bootId;
        }
        UUID id = UUID.fromString(bootId);
        byte[] bytes = ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** The number of a namespace, without its kind. */
    private static String link(Path file) {
        try {
            String target = Files.readSymbolicLink(file).toString();
            return target.substring(target.indexOf('[') + 1).replace("]", "");
        } catch (IOException | RuntimeException e) {
            return "";
        }
    }
}
