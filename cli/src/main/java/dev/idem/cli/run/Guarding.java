package dev.idem.cli.run;

import dev.idem.cli.syntax.UsageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What guards a key beside the command's words.
 *
 * @param directory whether the working directory does
 * @param stdin whether stdin does
 * @param variables the environment variables that do
 */
public record Guarding(boolean directory, boolean stdin, List<String> variables) {
    private static final String ENV = "env:";

    /** Reads {@code cwd,stdin,env:NAME}. */
    public static Guarding parse(@Nullable String list, String source) {
        boolean directory = false;
        boolean stdin = false;
        List<String> variables = new ArrayList<>();
        for (String part : list == null ? new String[0] : list.split(",", -1)) {
            String name = part.strip();
            if (name.equals("cwd")) {
                directory = true;
            } else if (name.equals("stdin")) {
                stdin = true;
            } else if (name.startsWith(ENV) && name.length() > ENV.length()) {
                variables.add(name.substring(ENV.length()));
            } else {
                throw new UsageException(source + ": '" + name + "' is not one of cwd, stdin, env:NAME");
            }
        }
        return new Guarding(directory, stdin, List.copyOf(variables));
    }

    /** The fields that make it this piece of work. */
    public Map<String, @Nullable Object> identity(
            List<String> words, Path workingDirectory, @Nullable String stdinDigest, Map<String, String> env) {
        Map<String, @Nullable Object> identity = new LinkedHashMap<>();
        identity.put("argv", words);
        if (directory) {
            identity.put("cwd", workingDirectory.toString());
        }
        if (stdin) {
            identity.put("stdin", stdinDigest);
        }
        if (!variables.isEmpty()) {
            Map<String, @Nullable Object> values = new TreeMap<>();
            variables.forEach(name -> values.put(name, env.get(name)));
            identity.put("env", values);
        }
        return identity;
    }
}
