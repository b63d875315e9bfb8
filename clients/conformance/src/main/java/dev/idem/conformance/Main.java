package dev.idem.conformance;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The program: runs a driver through all scenarios. */
public final class Main {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int AT_ONCE = 4;
    private static final Logger LOG = Logger.getLogger("dev.idem");
    private static final int WRONG_USE = 2;
    private static final String USAGE = """
            java -jar idem-conformance.jar [--only NAME,NAME] [--idem PATH] [--patience SECONDS] [--jobs N] -- DRIVER [ARGUMENT...]
            java -jar idem-conformance.jar --list | --help

            Runs a client of idem serve through all scenarios. DRIVER is a program around the client: see "Conformance" in
            docs/protocol.md. It exits with 0 if the client is right, and with 1 if not.
              --only      only these scenarios
              --idem      also tries the installed server with this path
              --patience  how long the client may take for a step (60)
              --jobs      how many scenarios run at once (4)
            """;

    private List<String> only = List.of();
    private @Nullable String installed;
    private Duration patience = PATIENCE;
    private int atOnce = AT_ONCE;
    private List<String> driver = List.of();
    private boolean list;
    private boolean help;

    private Main() {}

    public static void main(String[] arguments) throws InterruptedException {
        // Servers warn of what the scenarios do on purpose.
        LOG.setLevel(Level.OFF);
        Main main = new Main();
        int exit = WRONG_USE;
        try {
            main.read(arguments);
            exit = main.run();
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.println("--help tells how to call it");
        }
        System.exit(exit);
    }

    private void read(String[] arguments) {
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--list" -> list = true;
                case "--help", "-h" -> help = true;
                case "--only" -> only = List.of(next(arguments, ++i).split(",", -1));
                case "--idem" -> installed = next(arguments, ++i);
                case "--patience" -> patience = Duration.ofSeconds(number(arguments, ++i));
                case "--jobs" -> atOnce = number(arguments, ++i);
                case "--" -> {
                    driver = Arrays.asList(arguments).subList(i + 1, arguments.length);
                    i = arguments.length;
                }
                default -> throw new IllegalArgumentException("'" + arguments[i] + "' is not known");
            }
        }
        if (!list && !help && driver.isEmpty()) {
            throw new IllegalArgumentException("give the command of the driver after --");
        }
    }

    private static int number(String[] arguments, int at) {
        String text = next(arguments, at);
        if (!text.matches("[1-9][0-9]{0,5}")) {
            throw new IllegalArgumentException("'" + arguments[at - 1] + "' needs a number, not '" + text + "'");
        }
        return Integer.parseInt(text);
    }

    private static String next(String[] arguments, int at) {
        if (at == arguments.length) {
            throw new IllegalArgumentException("'" + arguments[at - 1] + "' needs a value");
        }
        return arguments[at];
    }

    private int run() throws InterruptedException {
        if (help) {
            System.out.print(USAGE);
            return 0;
        }
        List<Scenario> all = Scenarios.all(installed);
        if (list) {
            all.forEach(each -> System.out.println(each.name()));
            return 0;
        }
        List<Scenario> chosen = all.stream()
                .filter(each -> only.isEmpty() || only.contains(each.name()))
                .toList();
        for (String name : only) {
            if (all.stream().noneMatch(each -> each.name().equals(name))) {
                System.err.println("there is no scenario '" + name + "'; --list shows all");
                return WRONG_USE;
            }
        }
        List<Runner.Verdict> verdicts = new Runner(new Command(driver), atOnce, patience).run(chosen, Main::tell);
        long failed = verdicts.stream().filter(each -> !each.isOk()).count();
        System.out.println(verdicts.size() - failed + " ok, " + failed + " failed");
        return failed == 0 ? 0 : 1;
    }

    private static void tell(Runner.Verdict verdict) {
        System.out.println(verdict.line());
        verdict.words().lines().forEach(line -> System.out.println("    " + line));
    }

    /** The jar or folder of this program, which starts its servers with it. */
    static String codePath() {
        try {
            return Path.of(Main.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
