package dev.idem.cli.entry;

import dev.idem.Address;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.command.Shell;
import dev.idem.spi.LedgerUrl;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Next commands that can be copied unchanged: with the scope, the ledger (without its password) and the seal keys of
 * the call.
 */
public final class Suggested {
    private final String program;
    private final Arguments arguments;
    private final String key;
    private final @Nullable String operation;

    public Suggested(String program, Arguments arguments, String key) {
        this(program, arguments, key, null);
    }

    /** {@code operation} is that of a command with its own operation; null if the line or its default names it. */
    public Suggested(String program, Arguments arguments, String key, @Nullable String operation) {
        this.program = program;
        this.arguments = arguments;
        this.key = key;
        this.operation = operation;
    }

    /** A command about the same ledger as a whole. */
    public static String line(String program, Arguments arguments, String... words) {
        List<String> line = new ArrayList<>(List.of(program));
        line.addAll(List.of(words));
        addLedger(line, arguments);
        return Shell.line(line);
    }

    /** Looks at an entry of the same ledger with {@code show} or {@code why}. */
    static String look(Surroundings around, Arguments arguments, String command, Address at) {
        List<String> words = new ArrayList<>(List.of(around.program(), command));
        if (!at.operation().equals(Options.OPERATION.fallback())) {
            words.addAll(List.of(Options.OPERATION.name(), at.operation()));
        }
        // Without the option the next command takes its scope from the environment too.
        String scope = around.env().get(Options.SCOPE.env());
        if (!at.scope().equals(scope == null || scope.isEmpty() ? Options.SCOPE.fallback() : scope)) {
            words.addAll(List.of(Options.SCOPE.name(), at.scope()));
        }
        addLedger(words, arguments);
        words.addAll(at.key().startsWith("-") ? List.of("--", at.key()) : List.of(at.key()));
        return Shell.line(words);
    }

    /** Adds the ledger, unless the environment sets it for the next command too. */
    private static void addLedger(List<String> words, Arguments arguments) {
        String ledger = arguments.find(Options.LEDGER);
        if (ledger != null && arguments.onLine(Options.LEDGER)) {
            words.addAll(List.of(Options.LEDGER.name(), LedgerUrl.withoutPassword(ledger)));
        }
    }

    public String show() {
        return command("show");
    }

    public String why() {
        return command("why");
    }

    public String forget() {
        return command("forget", Options.YES.name());
    }

    /** The command has a place for the result if later calls get one. */
    public String resolve(String word) {
        return word.equals("complete") && !Resolving.COMMANDS.contains(operation())
                ? command("resolve", "--as", word, "--result", "JSON")
                : command("resolve", "--as", word);
    }

    /** Gives a complete entry another result. It must be forgotten first, because nothing changes a complete entry. */
    String completeAnew() {
        return forget() + ", " + command("claim") + " and "
                + command("settle", "--fence", "FENCE", "--as", "complete", "--result", "JSON");
    }

    private String operation() {
        Option given = arguments.syntax().find(Options.OPERATION.name());
        String said = operation != null || given == null ? operation : arguments.find(given);
        return said != null ? said : String.valueOf(Options.OPERATION.fallback());
    }

    private String command(String name, String... more) {
        List<String> words = new ArrayList<>(List.of(program, name));
        boolean looksLikeOption = key.startsWith("-");
        if (!looksLikeOption) {
            words.add(key);
        }
        words.addAll(List.of(more));
        boolean opens = !name.equals("forget");
        add(words, Options.SCOPE, arguments.onLine(Options.SCOPE));
        // By the command's own option: the defaults differ.
        Option given = arguments.syntax().find(Options.OPERATION.name());
        if (operation != null) {
            words.addAll(List.of(Options.OPERATION.name(), operation));
        } else if (given != null) {
            add(words, given, !Objects.equals(arguments.find(given), Options.OPERATION.fallback()));
        }
        add(words, Options.LEDGER, arguments.onLine(Options.LEDGER));
        add(words, Options.SEAL_KEYS, opens && arguments.onLine(Options.SEAL_KEYS));
        if (looksLikeOption) {
            words.add("--");
            words.add(key);
        }
        return Shell.line(words);
    }

    private void add(List<String> words, Option option, boolean wanted) {
        String value = arguments.find(option);
        if (wanted && value != null) {
            words.add(option.name());
            words.add(option.equals(Options.LEDGER) ? LedgerUrl.withoutPassword(value) : value);
        }
    }
}
