package dev.idem.cli.run;

import dev.idem.Key;
import dev.idem.cli.syntax.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A list such as {@code argv,stdin,env:NAME,file:PATH}: the sources of a derived key or of a fingerprint.
 *
 * @param plain argv, cwd, stdin
 * @param variables the names after {@code env:}
 * @param files the paths after {@code file:}
 */
public record Sources(List<String> plain, List<String> variables, List<String> files) {
    private static final String ENV = "env:";
    private static final String FILE = "file:";
    static final String ARGV = "argv";
    static final String CWD = "cwd";
    private static final String STDIN = "stdin";

    /** Reads the list of {@code --key-from}. */
    public static Sources ofKey(String list, String option) {
        return parse(list, option, List.of(ARGV, STDIN, "env:NAME", "file:PATH"));
    }

    /** Reads the list of {@code --fingerprint}; null for none. The command's words always count. */
    public static Sources ofGuard(@Nullable String list, String option) {
        return list == null
                ? new Sources(List.of(), List.of(), List.of())
                : parse(list, option, List.of(ARGV, CWD, STDIN, "env:NAME"));
    }

    private static Sources parse(String list, String option, List<String> allowed) {
        Sources sources = new Sources(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (String part : list.split(",", -1)) {
            String name = part.strip();
            if (name.startsWith(ENV) && name.length() > ENV.length()) {
                sources.variables.add(name.substring(ENV.length()));
            } else if (name.startsWith(FILE) && name.length() > FILE.length() && allowed.contains("file:PATH")) {
                sources.files.add(name.substring(FILE.length()));
            } else if (!name.contains(":") && allowed.contains(name)) {
                sources.plain.add(name);
            } else {
                throw new UsageException(option + ": '" + name + "' is not one of " + String.join(", ", allowed));
            }
        }
        return sources;
    }

    boolean stdin() {
        return plain.contains(STDIN);
    }

    /** The fields that identify the work. */
    public Map<String, @Nullable Object> identity(
            List<String> words, Path directory, @Nullable String stdinDigest, Map<String, String> env) {
        Map<String, @Nullable Object> identity = new LinkedHashMap<>();
        identity.put(ARGV, words);
        if (plain.contains(CWD)) {
            identity.put(CWD, directory.toString());
        }
        if (stdin()) {
            identity.put(STDIN, stdinDigest);
        }
        if (!variables.isEmpty()) {
            Map<String, @Nullable Object> values = new TreeMap<>();
            variables.forEach(name -> values.put(name, env.get(name)));
            identity.put("env", values);
        }
        return identity;
    }

    /** The derived key. A missing variable or file is an error: without it all keys would be equal. */
    String key(
            String scope, List<String> words, @Nullable String stdinDigest, Path directory, Map<String, String> env) {
        Map<String, @Nullable Object> identity = new LinkedHashMap<>();
        if (plain.contains(ARGV)) {
            identity.put(ARGV, words);
        }
        if (stdin()) {
            identity.put(STDIN, stdinDigest);
        }
        Map<String, String> values = new TreeMap<>();
        for (String name : variables) {
            String value = env.get(name);
            if (value == null) {
                throw new UsageException("--key-from env:" + name + ": the variable is not set");
            }
            values.put(name, value);
        }
        Map<String, String> digests = new TreeMap<>();
        files.forEach(name -> digests.put(name, digest(name, directory)));
        identity.put("env", values);
        identity.put("files", digests);
        return Key.derive(scope, RunRequest.OPERATION, identity).value();
    }

    private static String digest(String name, Path directory) {
        try {
            byte[] bytes = Files.readAllBytes(directory.resolve(name));
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (IOException | InvalidPathException e) {
            throw new UsageException("--key-from file:" + name + ": it can't be read: " + e);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }
}
