package dev.idem.cli.run;

import dev.idem.cli.syntax.UsageException;
import dev.idem.internal.key.Key;
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
 * What a key is derived from.
 *
 * @param argv whether the command's words are part of it
 * @param stdin whether what it reads is
 * @param variables the environment variables that are
 * @param files the files whose content is
 */
record KeyFrom(boolean argv, boolean stdin, List<String> variables, List<String> files) {
    private static final String ENV = "env:";
    private static final String FILE = "file:";

    /** Reads {@code argv,stdin,env:NAME,file:PATH}. */
    static KeyFrom parse(String list, String source) {
        boolean argv = false;
        boolean stdin = false;
        List<String> variables = new ArrayList<>();
        List<String> files = new ArrayList<>();
        for (String part : list.split(",", -1)) {
            String name = part.strip();
            if (name.equals("argv")) {
                argv = true;
            } else if (name.equals("stdin")) {
                stdin = true;
            } else if (name.startsWith(ENV) && name.length() > ENV.length()) {
                variables.add(name.substring(ENV.length()));
            } else if (name.startsWith(FILE) && name.length() > FILE.length()) {
                files.add(name.substring(FILE.length()));
            } else {
                throw new UsageException(source + ": '" + name + "' is not one of argv, stdin, env:NAME, file:PATH");
            }
        }
        return new KeyFrom(argv, stdin, variables, files);
    }

    /** The key; a variable or file that is not there is an error, since what is missing makes all keys the same. */
    Key key(String scope, List<String> words, @Nullable String stdinDigest, Path directory, Map<String, String> env) {
        Map<String, @Nullable Object> identity = new LinkedHashMap<>();
        if (argv) {
            identity.put("argv", words);
        }
        if (stdin) {
            identity.put("stdin", stdinDigest);
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
        return Key.derive(scope, RunRequest.OPERATION, identity);
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
