package dev.idem.cli.run;

import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.UsageException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The exits of well-known programs that prove that nothing happened, by the program's name. A listed exit is possible
 * only before the program has sent anything.
 */
public final class Presets {
    /**
     * By name. For curl these are: unsupported protocol, failed to initialise, malformed URL, feature not built in,
     * proxy not found, host not found, and no connection. For wget a wrong command line: its other exits may follow a
     * redirect or one of its own retries.
     */
    private static final Map<String, String> EXITS = Map.of("curl", "1-7", "wget", "2");

    /** Options with which curl may fail to connect after it has sent a request: it sends several. */
    private static final List<String> CURL_GOES_ON =
            List.of("--location", "--location-trusted", "--retry", "--config", "--next", "--parallel", "--follow");

    private static final String CURL_LETTERS_THAT_GO_ON = "LKZ:";
    /** Short options of curl whose value may follow in the same word. */
    private static final String CURL_LETTERS_WITH_VALUE = "AbcCdDeEFhHKmoPQrtTuUwxXyYz";

    /** Long options of curl whose value is the next word; not {@code --url}, whose value is a URL. */
    private static final Set<String> CURL_OPTIONS_WITH_VALUE = Set.of("""
            --data --data-ascii --data-binary --data-raw --data-urlencode --json --url-query --form
            --form-string --upload-file --header --proxy-header --user-agent --referer --cookie --cookie-jar
            --output --output-dir --dump-header --write-out --stderr --trace --trace-ascii --request
            --request-target --range --continue-at --time-cond --user --oauth2-bearer --aws-sigv4 --netrc-file
            --pass --cert --cert-type --key --key-type --cacert --capath --crlfile --ciphers --pinnedpubkey
            --tls-max --proxy --proxy-user --noproxy --connect-to --resolve --interface --unix-socket
            --connect-timeout --max-time --max-filesize --limit-rate --speed-limit --speed-time --keepalive-time
            --expect100-timeout
            """.split("\\s+"));

    private Presets() {}

    /** The exits of a preset as a list; null when there is no such preset. */
    static @Nullable String exits(String name) {
        return EXITS.get(name);
    }

    /**
     * Refuses a line for whose command the preset proves nothing.
     *
     * @throws UsageException that says what to change
     */
    public static void check(Arguments arguments, Map<String, String> env) {
        Syntax syntax = arguments.syntax();
        String list = syntax.knows(RunRequest.FAILED_EXITS) ? arguments.find(RunRequest.FAILED_EXITS) : null;
        if (list == null) {
            return;
        }
        for (String part : list.split(",", -1)) {
            String name = part.strip();
            if (exits(name) != null) {
                check(name, arguments, env);
            }
        }
    }

    private static void check(String name, Arguments arguments, Map<String, String> env) {
        String source = arguments.source(RunRequest.FAILED_EXITS) + " " + name + ": ";
        List<String> command = arguments.command();
        String program = command.get(0).substring(command.get(0).lastIndexOf('/') + 1);
        if (!program.equals(name)) {
            throw new UsageException(source + "the command is not " + name + " but " + program
                    + ", whose exits may mean something else; list the exits that mean that nothing happened");
        }
        if (name.equals("curl")) {
            curl(source, command, env);
        }
    }

    private static void curl(String source, List<String> command, Map<String, String> env) {
        int urls = 0;
        for (int i = 1; i < command.size(); i++) {
            String word = command.get(i);
            if (goesOn(word)) {
                throw new UsageException(source + "with " + word
                        + " curl may have sent a request before the one that failed; leave it out, or list the exits"
                        + " that mean that nothing happened");
            }
            if (!word.startsWith("-") || word.equals("-")) {
                requireOne(source, word);
                urls++;
            } else if (takesNext(word)) {
                i++;
                boolean upload = word.equals("--upload-file") || (!word.startsWith("--") && word.endsWith("T"));
                if (upload && i < command.size()) {
                    requireOne(source, command.get(i));
                }
            } else if (!word.startsWith("--") && word.matches("-[^" + CURL_LETTERS_WITH_VALUE + "]*T.*")) {
                requireOne(source, word);
            }
        }
        if (urls != 1) {
            throw new UsageException(source + "there are " + urls + " words that curl may take for a URL (also each "
                    + "value of an option that is not known here), and only for one the exit tells what became of it; "
                    + "list the exits that mean that nothing happened");
        }
        boolean withoutFile = command.size() > 1 && List.of("-q", "--disable").contains(command.get(1));
        Path file = withoutFile ? null : settings(env);
        if (file != null) {
            throw new UsageException(source + "there is a " + file + ", which may let curl follow redirects or retry;"
                    + " write curl -q as the command");
        }
    }

    /** Refuses a pattern or a file of URLs, which means several URLs. */
    private static void requireOne(String source, String word) {
        if (word.indexOf('{') >= 0 || word.indexOf('[') >= 0 || word.startsWith("@")) {
            throw new UsageException(source + "curl may make several requests of " + word
                    + "; list the exits that mean that nothing happened");
        }
    }

    /** Whether the word after this option is its value. After an unknown option it counts as a URL. */
    private static boolean takesNext(String option) {
        if (option.startsWith("--")) {
            return CURL_OPTIONS_WITH_VALUE.contains(option);
        }
        for (int i = 1; i < option.length(); i++) {
            if (CURL_LETTERS_WITH_VALUE.indexOf(option.charAt(i)) >= 0) {
                return i == option.length() - 1 && option.charAt(i) != 'h';
            }
        }
        return false;
    }

    private static boolean goesOn(String word) {
        if (word.startsWith("--")) {
            // Older versions accept any prefix of an option.
            return CURL_GOES_ON.stream().anyMatch(option -> word.startsWith(option) || option.startsWith(word));
        }
        for (int i = 1; word.startsWith("-") && i < word.length(); i++) {
            char letter = word.charAt(i);
            if (CURL_LETTERS_THAT_GO_ON.indexOf(letter) >= 0) {
                return true;
            } else if (CURL_LETTERS_WITH_VALUE.indexOf(letter) >= 0) {
                return false;
            }
        }
        return false;
    }

    /** The settings file that curl reads by itself; null if there is none. */
    private static @Nullable Path settings(Map<String, String> env) {
        for (String variable : List.of("CURL_HOME", "XDG_CONFIG_HOME", "HOME")) {
            String folder = env.getOrDefault(variable, "");
            try {
                for (String file : folder.isEmpty() ? List.<String>of() : List.of(".curlrc", "curlrc")) {
                    Path path = Path.of(folder, file);
                    if (Files.exists(path)) {
                        return path;
                    }
                }
            } catch (InvalidPathException e) {
                continue;
            }
        }
        return null;
    }
}
