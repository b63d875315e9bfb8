package dev.idem.torture;

import dev.idem.torture.check.Violation;
import dev.idem.torture.driver.Evidence;
import dev.idem.torture.driver.Run;
import dev.idem.torture.siege.Siege;
import java.io.IOException;
import java.nio.file.Path;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tortures a ledger from the command line. */
public final class Main {
    private static final String USAGE = """
            usage: java -jar idem-torture.jar --ledger sqlite|jsonl|postgresql|redis|redis-replicated|http
                     [--seed 42] [--duration 10m] [--broken NAME] [--folder FOLDER]
                     [--deeds kill,stop,clock,full,restart,cut,delay,swallow,failover,jump | none]
                     [--kinds brief,tombstoned,…]
                   java -jar idem-torture.jar --check FOLDER [KEY]
                   java -jar idem-torture.jar --siege [--duration 10m] [--attacks strangers,waits,…] [--entries 100000]
                     [--classes FOLDER] [--folder FOLDER]
              --check  judges the evidence of an earlier run again, and tells the story of a key
              --siege  attacks idem serve --listen while an honest client calls it
            """;
    private static final int SHOWN = 20;

    private Main() {}

    /** Ends with 1 when a rule was broken, and with 2 when the arguments make no sense. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length >= 2 && arguments[0].equals("--check")) {
            System.exit(check(Path.of(arguments[1]), List.of(arguments).subList(2, arguments.length)));
        }
        if (arguments.length >= 1 && arguments[0].equals("--siege")) {
            System.exit(siege(List.of(arguments).subList(1, arguments.length)));
        }
        Options options = options(arguments);
        System.exit(options == null ? 2 : run(options));
    }

    private static @Nullable Options options(String[] arguments) {
        try {
            Options options = arguments.length == 0 ? null : Options.parse(arguments);
            if (options == null) {
                System.err.print(USAGE);
            }
            return options;
        } catch (IllegalArgumentException | DateTimeParseException e) {
            System.err.println(e.getMessage());
            return null;
        }
    }

    private static int run(Options options) throws IOException, InterruptedException {
        Verdict verdict;
        try (Run run = new Run(options, Main::say)) {
            verdict = run.toTheEnd();
        } catch (UnsupportedOperationException e) {
            System.err.println(e.getMessage());
            return 2;
        }
        System.out.println(verdict.counts());
        if (verdict.good()) {
            System.out.println("every rule was kept (seed " + options.seed() + ")");
            return 0;
        }
        show(verdict.violations());
        String key = verdict.violations().get(0).key();
        Evidence.story(verdict.evidence(), key).forEach(System.out::println);
        System.out.println("RULES WERE BROKEN with seed " + options.seed() + "; the evidence is in "
                + verdict.evidence() + ", to be judged again with --check");
        return 1;
    }

    private static int siege(List<String> arguments) throws IOException, InterruptedException {
        Siege.Options options;
        try {
            options = Siege.Options.parse(arguments);
        } catch (IllegalArgumentException | DateTimeParseException e) {
            System.err.println(e.getMessage());
            return 2;
        }
        List<String> wrong = new Siege(options, Main::say).run();
        System.out.println(wrong.isEmpty() ? "the honest client was served" : "WRONG:");
        wrong.forEach(System.out::println);
        return wrong.isEmpty() ? 0 : 1;
    }

    private static void say(String line) {
        System.out.println(line);
    }

    private static int check(Path evidence, List<String> keys) throws IOException {
        List<Violation> violations = Evidence.check(evidence);
        show(violations);
        for (String key : keys) {
            Evidence.story(evidence, key).forEach(System.out::println);
        }
        return violations.isEmpty() ? 0 : 1;
    }

    private static void show(List<Violation> violations) {
        System.out.println(violations.size() + " violations");
        violations.stream().limit(SHOWN).forEach(System.out::println);
    }
}
