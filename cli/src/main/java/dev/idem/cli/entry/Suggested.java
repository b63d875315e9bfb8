package dev.idem.cli.entry;

import dev.idem.Address;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.ProtocolSyntaxes;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntaxes;
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
    static String look(Surroundings around, Arguments arguments, Syntax command, Address at) {
        List<String> words = new ArrayList<>(List.of(around.program(), command.name()));
        if (!at.operation().equals(Syntaxes.OPERATION.fallback())) {
            words.addAll(List.of(Syntaxes.OPERATION.name(), at.operation()));
        }
        // Without the option the next command takes its scope from the environment too.
        String scope = around.env().get(Syntaxes.SCOPE.env());
        if (!at.scope().equals(scope == null || scope.isEmpty() ? Syntaxes.SCOPE.fallback() : scope)) {
            words.addAll(List.of(Syntaxes.SCOPE.name(), at.scope()));
        }
        addLedger(words, arguments);
        words.addAll(at.key().startsWith("-") ? List.of("--", at.key()) : List.of(at.key()));
        return Shell.line(words);
    }

    /** Adds the ledger, unless the environment sets it for the next command too. */
    private static void addLedger(List<String> words, Arguments arguments) {
        String ledger = arguments.find(Syntaxes.LEDGER);
        if (ledger != null && arguments.onLine(Syntaxes.LEDGER)) {
            words.addAll(List.of(Syntaxes.LEDGER.name(), LedgerUrl.withoutPassword(ledger)));
        }
    }

    public String show() {
        return command("show");
    }

    public String why() {
        return command("why");
    }

    public String forget() {
        return command("forget", Syntaxes.YES.name());
    }

    /** The command has a place for the result if later calls get one. */
    public String resolve(String word) {
        return word.equals("complete") && !Resolving.COMMANDS.contains(operation())
                ? command("resolve", Syntaxes.AS.name(), word, ProtocolSyntaxes.RESULT.name(), "JSON")
                : command("resolve", Syntaxes.AS.name(), word);
    }

    /** Gives a complete entry another result. It must be forgotten first, because nothing changes a complete entry. */
    String completeAnew() {
        return forget() + ", " + command("claim") + " and "
                + command(
                        "settle",
                        ProtocolSyntaxes.FENCE.name(),
                        "FENCE",
                        Syntaxes.AS.name(),
                        "complete",
                        ProtocolSyntaxes.RESULT.name(),
                        "JSON");
    }

    private String operation() {
        Option given = arguments.syntax().find(Syntaxes.OPERATION.name());
        String said = operation != null || given == null ? operation : arguments.find(given);
        return said != null ? said : String.valueOf(Syntaxes.OPERATION.fallback());
    }

    private String command(String name, String... more) {
        List<String> words = new ArrayList<>(List.of(program, name));
        boolean looksLikeOption = key.startsWith("-");
        if (!looksLikeOption) {
            words.add(key);
        }
        words.addAll(List.of(more));
        boolean opens = !name.equals(Syntaxes.FORGET.name());
        add(words, Syntaxes.SCOPE, arguments.onLine(Syntaxes.SCOPE));
        // By the command's own option: the defaults differ.
        Option given = arguments.syntax().find(Syntaxes.OPERATION.name());
        if (operation != null) {
            words.addAll(List.of(Syntaxes.OPERATION.name(), operation));
        } else if (given != null) {
            add(words, given, !Objects.equals(arguments.find(given), Syntaxes.OPERATION.fallback()));
        }
        add(words, Syntaxes.LEDGER, arguments.onLine(Syntaxes.LEDGER));
        add(words, Syntaxes.SEAL_KEYS, opens && arguments.onLine(Syntaxes.SEAL_KEYS));
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
            words.add(option.equals(Syntaxes.LEDGER) ? LedgerUrl.withoutPassword(value) : value);
        }
    }
}
