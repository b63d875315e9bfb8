package dev.idem.examples.orders;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The program as others run it: a command in a folder of commands. */
record OrdersProcess(Path folder) {
    /** The output of a process, and its exit. */
    record Ran(int exit, String stdout, String stderr) {}

    /** Writes a script of this name, which adds these words to its own. */
    Path script(String name, String more) throws IOException {
        String text = "#!/bin/sh\n" + "export ORDERS_HOME='" + folder + "'\n" + "exec '"
                + System.getProperty("java.home") + "/bin/java' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
                + " -Djava.io.tmpdir='" + folder + "' -cp '" + System.getProperty("java.class.path") + "' "
                + Orders.class.getName() + " \"$@\" " + more + "\n";
        Path bin = Files.createDirectories(folder.resolve("bin"));
        Files.createDirectories(folder.resolve("store"));
        Path script = Files.writeString(bin.resolve(name), text);
        return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    }

    /** Runs a command that finds those scripts on its path. */
    Ran run(List<String> words) throws IOException, InterruptedException {
        File out = Files.createTempFile(folder, "out", "").toFile();
        File err = Files.createTempFile(folder, "err", "").toFile();
        ProcessBuilder builder = new ProcessBuilder(words).redirectOutput(out).redirectError(err);
        builder.environment().merge("PATH", folder.resolve("bin").toString(), (path, bin) -> bin + ":" + path);
        Process process = builder.start();
        try {
            if (!process.waitFor(3, TimeUnit.MINUTES)) {
                throw new IllegalStateException(words + " did not end");
            }
            return new Ran(
                    process.exitValue(),
                    Files.readString(out.toPath(), StandardCharsets.UTF_8),
                    Files.readString(err.toPath(), StandardCharsets.UTF_8));
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
