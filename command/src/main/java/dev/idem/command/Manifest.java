package dev.idem.command;

import dev.idem.internal.key.Fingerprint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Describes the commands of a program to other programs: options, danger and exit codes, in one JSON document. */
public final class Manifest {
    private static final String SCHEMA_VERSION = "3.0";

    private Manifest() {}

    /**
     * An option of a command.
     *
     * @param type boolean, integer, number, string, array or enum
     * @param fallback its value when none is given; null for none
     * @param words the only values it takes; empty for any
     * @param letter its short form, without the dash; null for none
     */
    public record Flag(
            String type,
            boolean required,
            String description,
            @Nullable String fallback,
            List<String> words,
            @Nullable String letter) {
        Map<String, @Nullable Object> fields() {
            Map<String, @Nullable Object> flag = new LinkedHashMap<>();
            flag.put("type", type);
            flag.put("required", required);
            flag.put("description", description);
            flag.put("default", fallback);
            flag.put("enum_values", words.isEmpty() ? null : words);
            flag.put("short", letter);
            flag.values().removeIf(value -> value == null);
            return flag;
        }
    }

    /**
     * The fields of a command. The caller may add more.
     *
     * @param scopes the permissions that its credential needs from a service
     * @param strict whether options come before {@code --}, and the words after it are passed on unchanged
     */
    public static Map<String, @Nullable Object> command(
            String description,
            Danger danger,
            List<String> scopes,
            boolean strict,
            Map<String, Flag> flags,
            List<ExitCode> exits) {
        Map<String, @Nullable Object> options = new LinkedHashMap<>();
        flags.forEach((name, flag) -> options.put(name, flag.fields()));
        Map<String, @Nullable Object> codes = new LinkedHashMap<>();
        exits.forEach(code -> codes.put(Integer.toString(code.number()), exit(code, danger)));
        Map<String, @Nullable Object> command = new LinkedHashMap<>();
        command.put("description", description);
        command.put("danger_level", danger.word());
        command.put("required_scopes", scopes);
        command.put("option_placement", strict ? "strict" : "any");
        command.put("flags", options);
        command.put("exit_codes", codes);
        return command;
    }

    private static Map<String, @Nullable Object> exit(ExitCode code, Danger danger) {
        Map<String, @Nullable Object> exit = new LinkedHashMap<>();
        exit.put("name", code.name());
        exit.put("description", code.meaning());
        exit.put("retryable", code.retryable());
        exit.put("side_effects", danger == Danger.SAFE ? "none" : code.sideEffects());
        return exit;
    }

    /**
     * The document.
     *
     * @param program any class of the program, whose jar has the version
     * @param commands by their names
     */
    public static Map<String, @Nullable Object> of(Class<?> program, Map<String, @Nullable Object> commands) {
        Map<String, @Nullable Object> manifest = new LinkedHashMap<>();
        manifest.put("schema_version", SCHEMA_VERSION);
        manifest.put("framework_version", version(program));
        manifest.put("etag", Fingerprint.ofContent(commands));
        manifest.put("commands", commands);
        return manifest;
    }

    /** The version in the manifest of a class's jar; {@code development} if there is none. */
    public static String version(Class<?> program) {
        String version = program.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
