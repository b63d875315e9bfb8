package dev.idem.cli.mcp;

import dev.idem.Json;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A server in the configuration of a host.
 *
 * @param json the text of the whole file
 * @param launcher the words that start this program
 */
record ServerEntry(String json, String name, Jsonc value, Launcher launcher) {
    private static final int LONGEST_NAME = 100;
    /** The end of a list of arguments that was not there before: by its blank it is known, and taken away again. */
    private static final String ADDED = " ]";

    /** Some other text for a part of the file. */
    record Edit(int from, int to, String text) {}

    /**
     * A change of one server, or the reason to leave it alone.
     *
     * @param edits empty where it is left alone
     * @param why it is left alone; empty where it is changed
     * @param before how {@code command} and {@code args} are shown as they are; without the arguments of the server, which
     *     may be secret
     * @param after the same as they will be
     * @param definition the whole text of the entry, which is never shown
     */
    record Step(String name, List<Edit> edits, String why, String before, String after, String definition) {
        boolean changes() {
            return !edits.isEmpty();
        }
    }

    /** Puts the guard before the server. */
    Step wrapped() throws Jsonc.Malformed {
        List<String> words = words();
        if (words == null) {
            return alone(whyNoCommand());
        } else if (guardEnd(words) >= 0) {
            return alone("it is guarded already");
        } else if (!canBeName()) {
            return alone("its name is empty, too long or has characters that no --name has");
        } else if (isShellLine(words.get(0))) {
            return alone("its command is a whole line; write the program into command and the rest into args first");
        }
        List<String> added =
                new ArrayList<>(launcher.words().subList(1, launcher.words().size()));
        // Without the hints a repeated read would get its first answer, although the file has changed since.
        added.addAll(List.of("mcp", "--name", name, "--trust-hints", "--"));
        Jsonc command = Objects.requireNonNull(value.member("command"));
        List<String> quoted = new ArrayList<>(added.stream().map(Json::write).toList());
        // As it is written there, so that taking the guard away gives the same characters.
        quoted.add(json.substring(command.start(), command.end()));
        List<Edit> edits = List.of(
                new Edit(
                        command.start(),
                        command.end(),
                        Json.write(launcher.words().get(0))),
                inserted(quoted));
        return new Step(
                name,
                edits,
                "",
                shown(words.get(0), List.of(), words.size() - 1),
                shown(launcher.words().get(0), quoted, words.size() - 1),
                definition());
    }

    /** Takes the guard away. */
    Step unwrapped() throws Jsonc.Malformed {
        List<String> words = words();
        int end = words == null ? -1 : guardEnd(words);
        if (words == null || end < 0) {
            return alone("it is not guarded");
        }
        Jsonc command = Objects.requireNonNull(value.member("command"));
        List<Jsonc> args = Objects.requireNonNull(
                Objects.requireNonNull(value.member("args")).elements());
        // The words have the command first, so the one after -- is the argument of the same index as --.
        Jsonc old = args.get(end);
        String program = json.substring(old.start(), old.end());
        int rest = args.size() - end - 1;
        Edit removed = wereAdded(command, rest)
                ? new Edit(
                        command.end(),
                        Objects.requireNonNull(value.member("args")).end(),
                        "")
                : new Edit(args.get(0).start(), endOf(old, rest > 0), "");
        List<Edit> edits = List.of(new Edit(command.start(), command.end(), program), removed);
        return new Step(
                name,
                edits,
                "",
                shown(words.get(0), List.of("\"mcp\"", "…", "\"--\"", program), rest),
                shown(words.get(end + 1), List.of(), rest),
                definition());
    }

    /** Whether the whole list of arguments was added with the guard, behind the command. */
    private boolean wereAdded(Jsonc command, int rest) {
        Jsonc args = Objects.requireNonNull(value.member("args"));
        return rest == 0
                && json.charAt(args.start() + 1) == '"'
                && json.substring(args.start(), args.end()).endsWith("\"" + ADDED)
                && command.end() < args.start()
                && json.substring(command.end(), args.start()).matches(",\\s*\"args\": ");
    }

    private Step alone(String why) {
        return new Step(name, List.of(), why, "", "", definition());
    }

    private String definition() {
        return json.substring(value.start(), value.end());
    }

    /** The command and its arguments; null where they have another form. */
    private @Nullable List<String> words() {
        Jsonc command = value.member("command");
        Jsonc args = value.member("args");
        if (command == null || command.text() == null || value.member("url") != null) {
            return null;
        }
        List<String> words = new ArrayList<>(List.of(command.text()));
        List<Jsonc> elements = args == null ? List.of() : args.elements();
        if (elements == null) {
            return null;
        }
        for (Jsonc element : elements) {
            if (element.text() == null) {
                return null;
            }
            words.add(element.text());
        }
        return words;
    }

    private String whyNoCommand() {
        return value.member("url") != null
                ? "it has a url"
                : value.member("command") == null
                        ? "it has no command"
                        : "its command is no text, or its args are no list of texts";
    }

    private boolean canBeName() {
        return !name.isBlank()
                && !name.equals("--")
                && name.length() <= LONGEST_NAME
                && name.chars().noneMatch(Character::isISOControl);
    }

    /** The index of the {@code --} after which the command of the server begins; negative where there is no guard. */
    private int guardEnd(List<String> words) {
        int guard = launcher.guardIn(words);
        int end = guard < 0 ? -1 : words.subList(guard, words.size()).indexOf("--");
        return end < 0 || guard + end + 1 >= words.size() ? -1 : guard + end;
    }

    /** Some hosts take a whole line for a command, which the guard could not start. */
    private static boolean isShellLine(String command) {
        try {
            return command.strip().chars().anyMatch(Character::isWhitespace)
                    && !command.contains("${")
                    && !Files.exists(Path.of(command));
        } catch (InvalidPathException e) {
            return true;
        }
    }

    /** Adds arguments before the others, written in the same way. */
    private Edit inserted(List<String> quoted) throws Jsonc.Malformed {
        Jsonc args = value.member("args");
        if (args == null) {
            Jsonc.Member command = Objects.requireNonNull(value.members()).stream()
                    .filter(member -> member.name().equals("command"))
                    .findFirst()
                    .orElseThrow();
            String gap = blanksBefore(command.start());
            int end = command.value().end();
            return new Edit(end, end, "," + gap + "\"args\": [" + String.join(", ", quoted) + ADDED);
        }
        int first = args.start() + 1;
        while (Character.isWhitespace(json.charAt(first))) {
            first++;
        }
        String blanks = json.substring(args.start() + 1, first);
        String gap = "," + (blanks.indexOf('\n') >= 0 ? blanks : " ");
        boolean more = !Objects.requireNonNull(args.elements()).isEmpty();
        return new Edit(first, first, String.join(gap, quoted) + (more ? gap : ""));
    }

    /** The line break and the blanks before a member, or one blank. */
    private String blanksBefore(int member) {
        int from = member;
        while (Character.isWhitespace(json.charAt(from - 1))) {
            from--;
        }
        String blanks = json.substring(from, member);
        return blanks.indexOf('\n') >= 0 ? blanks : " ";
    }

    /** The index up to which the arguments of the guard are removed, with the comma and the blanks after the last. */
    private int endOf(Jsonc last, boolean more) throws Jsonc.Malformed {
        int comma = Jsonc.afterBlanks(json, last.end());
        if (json.charAt(comma) != ',') {
            return last.end();
        }
        int end = comma + 1;
        while (more && Character.isWhitespace(json.charAt(end))) {
            end++;
        }
        return end;
    }

    private static String shown(String command, List<String> first, int hidden) {
        List<String> all = new ArrayList<>(first);
        if (hidden > 0) {
            all.add("… " + hidden + (hidden == 1 ? " argument" : " arguments"));
        }
        return "\"command\": " + Json.write(command) + ", \"args\": [" + String.join(", ", all) + "]";
    }
}
