package dev.idem.testkit;

import dev.idem.spi.Owner;
import dev.idem.spi.ProcessRef;
import dev.idem.spi.Processes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The processes of a simulated host, which a test starts and kills. Processes of other hosts are unknown to it. */
public final class SettableProcesses implements Processes {
    private final String host;
    private final AtomicLong pids = new AtomicLong(100);
    private final Set<ProcessRef> living = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable Runnable> before = new AtomicReference<>();

    /** A host called {@code here}. */
    public SettableProcesses() {
        this("here");
    }

    /** A host of this name. */
    public SettableProcesses(String host) {
        this.host = host;
    }

    /** Runs an action once, just before the next check whether a process is alive. */
    public void beforeTheNextLook(Runnable happening) {
        before.set(happening);
    }

    @Override
    public Life of(ProcessRef process) {
        Runnable happening = before.getAndSet(null);
        if (happening != null) {
            happening.run();
        }
        if (!host.equals(process.host())) {
            return Life.UNKNOWN;
        }
        return living.contains(process) ? Life.ALIVE : Life.DEAD;
    }

    /** Starts a process on this host. */
    public ProcessRef start() {
        long pid = pids.incrementAndGet();
        ProcessRef process = new ProcessRef(host, pid, pid * 1_000);
        living.add(process);
        return process;
    }

    /** Starts a process on this host and makes it an owner. */
    public Owner startOwner() {
        ProcessRef process = start();
        return new Owner(host + " " + process, process);
    }

    /** A process of another host, whose state is unknown. */
    public ProcessRef elsewhere() {
        long pid = pids.incrementAndGet();
        return new ProcessRef("another-host", pid, pid * 1_000);
    }

    /** Ends a process, as {@code kill -9} does. */
    public void kill(ProcessRef process) {
        living.remove(process);
    }

    /** Ends the process of an owner that has one. */
    public void kill(Owner owner) {
        ProcessRef process = owner.process();
        if (process != null) {
            kill(process);
        }
    }
}
