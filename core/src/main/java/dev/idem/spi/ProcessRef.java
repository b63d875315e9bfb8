package dev.idem.spi;

/**
 * One process of one boot of one host, told apart from later processes with the same pid by its start.
 *
 * @param host identifies the boot and the pid namespace; a process of another host can't be looked up
 * @param pid the process id
 * @param start when it started, in the host's own ticks since boot (not wall time, which may be stepped)
 */
public record ProcessRef(String host, long pid, long start) {
    @Override
    public String toString() {
        return "pid " + pid;
    }
}
