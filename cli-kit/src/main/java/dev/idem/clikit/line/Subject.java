package dev.idem.clikit.line;

import dev.idem.Address;
import dev.idem.JsonException;
import dev.idem.Key;
import dev.idem.Warning;
import dev.idem.clikit.KeyRule;
import dev.idem.clikit.program.KitOptions;
import dev.idem.command.Answer;
import dev.idem.internal.key.Fingerprint;
import dev.idem.internal.key.Identity;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Labels;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The address, the arguments and the labels of a call.
 *
 * @param labels the task that a derived key belongs to, and the run around the program
 * @param warnings about fields that make a derived key unstable
 */
public record Subject(Address address, GivenArguments arguments, Map<String, String> labels, List<Warning> warnings) {
    private static final String RUN_VARIABLE = "IDEM_RUN_ID";

    /** The subject of the line; null if it names no key and none can be derived. */
    public static @Nullable Subject find(ParsedLine line, String scope, Map<String, String> env) {
        String operation = line.declaration().operation();
        try {
            GivenArguments arguments = GivenArguments.of(line);
            // Computed for a given key too: an argument without a canonical form is refused before anything runs.
            Identity identity = Identity.of(arguments.identity());
            String key = line.option(KitOptions.KEY);
            if (key != null) {
                return new Subject(new Address(scope, operation, key), arguments, labels(null, env), List.of());
            }
            String session = session(line, env);
            if (session == null || line.declaration().key() == KeyRule.REQUIRED) {
                return null;
            }
            // The session is part of the key, so that only the program sets the scope, whatever the session's name.
            Key derived = Key.derive(scope, operation, Map.of("session", session, "arguments", arguments.identity()));
            Address address = new Address(scope, operation, derived.value());
            List<Warning> warnings = identity.warnings().stream()
                    .map(text -> new Warning(Warning.Code.VOLATILE_IDENTITY, text))
                    .toList();
            return new Subject(address, arguments, labels(session, env), warnings);
        } catch (IllegalArgumentException | JsonException e) {
            throw new BadArguments(
                    BadArguments.answer("USAGE", String.valueOf(e.getMessage())).fix("correct the arguments"), e);
        }
    }

    /** The subject of the line. */
    public static Subject of(ParsedLine line, String scope, Map<String, String> env) {
        Subject found = find(line, scope, env);
        if (found == null) {
            throw new BadArguments(keyRequired(line), null);
        }
        return found;
    }

    public Fingerprints fingerprints() {
        return new Fingerprints(
                Fingerprint.of(address.scope(), address.operation(), arguments.identity()),
                arguments.content().isEmpty() ? null : Fingerprint.ofContent(arguments.content()));
    }

    public static Answer keyRequired(ParsedLine line) {
        boolean derives = line.declaration().key() == KeyRule.DERIVED;
        String message = "without a key a retry of this call looks like a new call, so it was not run. Give "
                + KitOptions.KEY + " with an id that stays the same over retries"
                + (derives
                        ? ", or name the task with " + KitOptions.SESSION + " or " + KitOptions.SESSION_VARIABLE
                                + " and a key is derived from it, the command and its arguments"
                        : "");
        Answer answer = BadArguments.answer("KEY_REQUIRED", message)
                .fix("give " + KitOptions.KEY + (derives ? " or " + KitOptions.SESSION : ""));
        // With its own key the line may be repeated; a destructive line is never suggested.
        return line.declaration().destroys()
                ? answer
                : answer.fixCommand(
                        line.shellWith(KitOptions.KEY, UUID.randomUUID().toString()));
    }

    private static Map<String, String> labels(@Nullable String session, Map<String, String> env) {
        Map<String, String> labels = new TreeMap<>();
        String run = env.getOrDefault(RUN_VARIABLE, "");
        if (!run.isEmpty()) {
            labels.put("run", Labels.value(run));
        }
        if (session != null) {
            labels.put("session", Labels.value(session));
        }
        return labels;
    }

    private static @Nullable String session(ParsedLine line, Map<String, String> env) {
        String given = line.declaration().key() == KeyRule.DERIVED ? line.option(KitOptions.SESSION) : null;
        String session = given != null ? given : env.get(KitOptions.SESSION_VARIABLE);
        return session == null || session.isEmpty() ? null : session;
    }
}
