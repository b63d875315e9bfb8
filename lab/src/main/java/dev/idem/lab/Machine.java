package dev.idem.lab;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Describes the machine of a run, because numbers mean little without it. */
public final class Machine {
    private Machine() {}

    /** Processor, system, JDK and commit, a line each. */
    public static String describe() {
        Runtime runtime = Runtime.getRuntime();
        return "machine: " + processor() + ", " + runtime.availableProcessors() + " processors, "
                + System.getProperty("os.name") + " " + System.getProperty("os.arch") + "\n"
                + "JDK:     " + System.getProperty("java.vm.name") + " " + Runtime.version() + "\n"
                + "commit:  " + commit() + "\n";
    }

    /** The load of the machine: above the number of processors, times are too long. */
    public static String load() {
        return String.format(
                Locale.ROOT,
                "%.1f",
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    private static String processor() {
        try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 2))
                    .findFirst()
                    .orElse("unknown processor");
        } catch (IOException e) {
            return "unknown processor";
        }
    }

    private static String commit() {
        try {
            Process git = new ProcessBuilder("git", "describe", "--always", "--dirty")
                    .redirectErrorStream(true)
                    .start();
            String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.waitFor() == 0 ? said : "unknown";
        } catch (IOException e) {
            return "unknown";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "unknown";
        }
    }
}
