package dev.idem.cli.run;

import dev.idem.cli.recorded.NotStarted;
import dev.idem.command.ExitCode;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Searches for a program as a shell does. */
public final class Executable {
    private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";

    private Executable() {}

    /** The reason why the program can't be started; null if it can. */
    public static @Nullable NotStarted whyNot(String program, Path directory, Map<String, String> env) {
        if (program.isEmpty()) {
            return new NotStarted(ExitCode.COMMAND_NOT_FOUND.number(), "the name of the command is empty", null);
        }
        if (program.indexOf('/') >= 0) {
            Path file = path(directory, program);
            if (file == null || !Files.exists(file)) {
                return new NotStarted(ExitCode.COMMAND_NOT_FOUND.number(), program + ": no such file", null);
            }
            return isProgram(file)
                    ? null
                    : new NotStarted(
                            ExitCode.NOT_EXECUTABLE.number(),
                            program + ": " + (Files.isDirectory(file) ? "is a directory" : "is not executable"),
                            null);
        }
        boolean seen = false;
        for (String folder : env.getOrDefault("PATH", USUAL_PATH).split(":", -1)) {
            Path folderPath = path(directory, folder);
            Path file = folderPath == null ? null : path(folderPath, program);
            if (file == null) {
                continue;
            } else if (isProgram(file)) {
                return null;
            }
            seen |= Files.isRegularFile(file);
        }
        return seen
                ? new NotStarted(
                        ExitCode.NOT_EXECUTABLE.number(), program + ": is in the PATH, but is not executable", null)
                : new NotStarted(ExitCode.COMMAND_NOT_FOUND.number(), program + ": not found in the PATH", null);
    }

    /** The file of a program, or null if the usual folders do not have it. */
    public static @Nullable String find(String program, Map<String, String> env) {
        for (String folder : env.getOrDefault("PATH", USUAL_PATH).split(":", -1)) {
            Path file = folder.startsWith("/") ? path(Path.of("/"), folder + "/" + program) : null;
            if (file != null && isProgram(file)) {
                return file.toString();
            }
        }
        return null;
    }

    private static boolean isProgram(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }

    private static @Nullable Path path(Path directory, String text) {
        try {
            return directory.resolve(text);
        } catch (InvalidPathException e) {
            return null;
        }
    }
}
