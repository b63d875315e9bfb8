package dev.idem.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the sessions of the README and the docs. In a {@code console} block, lines that start with {@code $} are typed,
 * the others are what is seen: {@code …} stands for anything within a line, and alone in a line for any lines.
 */
class DocsConsoleIT {
    private static final Pattern HELP = Pattern.compile("(?m)^  (--[a-z-]+)((?:.*\\n)(?: {10,}.*\\n)*)");

    /** The cache that the launcher fills at its first call, which takes seconds: kept from one session to the next. */
    @TempDir
    static Path cache;

    @TempDir
    Path home;

    static List<CodeBlock> sessions() {
        return Pages.all().stream()
                .flatMap(page -> CodeBlock.of(page).stream())
                .filter(block -> block.info().equals("console"))
                .toList();
    }

    /** Something typed, and what is seen then. */
    record Exchange(String typed, List<String> seen) {}

    @BeforeEach
    void install() throws IOException {
        // The launcher would build what is missing, which is not what a test should do.
        boolean built = Files.exists(Pages.root().resolve("cli/target/idem-cli.jar"));
        assumeTrue(built, "the command line is not built: mvn -pl cli -am -DskipTests package");
        Files.createSymbolicLink(home.resolve("idem"), Pages.root().resolve("idem"));
    }

    @AfterEach
    void uninstall() throws IOException {
        Files.deleteIfExists(home.resolve("idem"));
    }

    @ParameterizedTest
    @MethodSource("sessions")
    void everySessionGoesAsShown(CodeBlock session) throws Exception {
        List<Exchange> exchanges = exchanges(session);
        boolean needsCurl = exchanges.stream().anyMatch(each -> each.typed().contains("curl "));
        assumeTrue(!needsCurl || hasCurl(), "there is no curl that knows --json");
        List<String> seen = type(exchanges.stream().map(Exchange::typed).toList());
        for (int i = 0; i < exchanges.size(); i++) {
            Exchange exchange = exchanges.get(i);
            assertThat(seen.get(i))
                    .as("%s: what is seen after $ %s", session, exchange.typed())
                    .matches(pattern(exchange.seen()));
        }
    }

    @Test
    void thereAreSessions() {
        assertThat(sessions()).isNotEmpty();
    }

    @Test
    void everyOptionOfRunIsListedWithItsDefault() throws Exception {
        Matcher option = HELP.matcher(type(List.of("./idem run --help")).get(0));
        Map<String, String> fromHelp = new LinkedHashMap<>();
        while (option.find()) {
            Matcher fallback = Pattern.compile("\\(default: ([^)]+)\\)")
                    .matcher(option.group(2).replaceAll("\\s+", " "));
            fromHelp.put(option.group(1), fallback.find() ? fallback.group(1) : "–");
        }

        assertThat(ConfigurationTable.under("The command line")).isEqualTo(fromHelp);
    }

    private static boolean hasCurl() throws Exception {
        Process curl = new ProcessBuilder("sh", "-c", "curl --json '' --version").start();
        curl.getInputStream().readAllBytes();
        return curl.waitFor() == 0;
    }

    private static List<Exchange> exchanges(CodeBlock session) {
        List<Exchange> exchanges = new ArrayList<>();
        for (String line : session.code()) {
            if (line.startsWith("$ ")) {
                exchanges.add(new Exchange(line.substring(2), new ArrayList<>()));
            } else {
                exchanges.get(exchanges.size() - 1).seen().add(line);
            }
        }
        return exchanges;
    }

    /** Types the lines into one shell and gives what was seen after each. */
    private List<String> type(List<String> lines) throws Exception {
        StringBuilder script = new StringBuilder();
        for (String line : lines) {
            // The end mark of an answer must not change $? for the next line.
            script.append(line).append("\nseen=$?; printf '\\001'; (exit $seen)\n");
        }
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", script.toString());
        // Not a pipe: the command line would say of it that it was not compared.
        builder.directory(home.toFile()).redirectErrorStream(true).redirectInput(new File("/dev/null"));
        builder.environment().keySet().removeIf(name -> name.startsWith("IDEM_"));
        // The pages show what people see, and this is a pipe.
        builder.environment().put("IDEM_TEXT", "1");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("HOME", home.toString());
        builder.environment().put("XDG_STATE_HOME", home.resolve("state").toString());
        builder.environment().put("XDG_CACHE_HOME", cache.toString());
        Process shell = builder.start();
        try {
            String all = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return List.of(all.split("\001", -1));
        } finally {
            shell.destroyForcibly();
        }
    }

    private static Pattern pattern(List<String> lines) {
        return Pattern.compile(lines.stream()
                .map(line -> line.equals("…") ? "(?s:.*)" : Pattern.quote(line).replace("…", "\\E.*\\Q") + "\n")
                .collect(Collectors.joining()));
    }
}
