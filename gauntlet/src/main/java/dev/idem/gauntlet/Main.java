package dev.idem.gauntlet;

import dev.idem.lab.Machine;
import dev.idem.lab.TempFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Runs the gauntlet and prints the report. */
public final class Main {
    private static final String USAGE = """
            usage: java -jar idem-gauntlet.jar [--quick] [--only WORD] [--html FILE] [--peers]
              --quick      shorter waits and fewer calls
              --only WORD  only contenders with the word in their title, such as idem, camel, sqlite
              --html FILE  writes the report as a page, too
              --peers      prints how each contender is set up, and ends
            """;

    /** A strong reference, because an unreferenced logger loses its level. Idem's warnings are in the answers. */
    private static final Logger QUIET = Logger.getLogger("dev.idem");

    private Main() {}

    /** Prints the report, or an error in the arguments. */
    public static void main(String[] args) throws Exception {
        boolean quick = false;
        boolean peers = false;
        String only = "";
        String html = "";
        for (int i = 0; i < args.length; i++) {
            if (args[i].equals("--quick")) {
                quick = true;
            } else if (args[i].equals("--peers")) {
                peers = true;
            } else if (args[i].equals("--only") && i + 1 < args.length) {
                only = args[++i];
            } else if (args[i].equals("--html") && i + 1 < args.length) {
                html = args[++i];
            } else {
                System.err.print(USAGE);
                System.exit(args[i].equals("--help") ? 0 : 2);
            }
        }
        QUIET.setLevel(Level.OFF);
        Path parent = Path.of(System.getProperty("java.io.tmpdir"));
        try (Servers servers = new Servers(parent)) {
            Field all = new Field(servers);
            String word = only;
            List<Field.Entry> field =
                    all.all().stream().filter(entry -> entry.matches(word)).toList();
            if (peers) {
                describe(field, parent);
            } else {
                Report report = run(all, field, parent, quick ? Pace.quick() : Pace.full());
                System.out.print(report.text());
                if (!html.isEmpty()) {
                    Files.writeString(Path.of(html), new Page(report).html());
                }
            }
        }
    }

    private static void describe(List<Field.Entry> field, Path parent) throws Exception {
        for (Field.Entry entry : field) {
            System.out.println(entry.title() + ": " + configuration(entry, parent));
        }
    }

    private static String configuration(Field.Entry entry, Path parent) throws Exception {
        try (TempFolder folder = new TempFolder(parent);
                Contender contender = entry.entrant().enter(folder.path())) {
            return contender.configuration();
        }
    }

    private static Report run(Field all, List<Field.Entry> field, Path parent, Pace pace) throws Exception {
        Report report =
                new Report(Machine.describe() + "load:    " + Machine.load() + " before\npace:    " + pace + "\n");
        Judge judge = new Judge(all.servers(), parent, pace);
        for (Field.Entry entry : field) {
            if (entry.judged()) {
                System.err.println("judging: " + entry.title());
                for (RightScenario scenario : Judge.scenarios()) {
                    report.add(entry, scenario.name(), judge.judge(entry, scenario));
                }
            }
        }
        for (Field.Entry entry : field) {
            report.add(entry, configuration(entry, parent));
            if (!all.isNaiveFloor(entry)) {
                System.err.println("measuring: " + entry.title());
                report.add(entry, Speed.of(entry, all, parent, pace));
            }
        }
        return report;
    }
}
