package dev.idem.benchmarks;

import dev.idem.lab.Machine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Runs the measurements and prints one table. */
public final class Main {
    private static final String USAGE = """
            usage: java -jar idem-benchmarks.jar [--sizes] [--quick] [--only WORD] [--dir FOLDER]
                   java -jar idem-benchmarks.jar --pictures RESULTS FOLDER
                   java -jar idem-benchmarks.jar --screens FOLDER
              --sizes       what entries take and what calls write, instead of how long calls take
              --quick       shorter turns, and fewer: half an hour for everything
              --only WORD   only what has the word in its name, such as memory, sqlite, redis, duplicates, gzip, http, start-up
              --dir FOLDER  where files and servers are made and removed again; the folder for temporary files unless told
              --screens FOLDER
                            measures nothing: starts idem serve --demo, and writes pictures of its console into the folder
              --pictures RESULTS FOLDER
                            measures nothing: draws the saved results of a folder as bars, into SVG files of the other folder
            """;

    private Main() {}

    /** Prints the table, or an error in the arguments. */
    public static void main(String[] args) throws Exception {
        boolean quick = false;
        boolean sizes = false;
        String only = "";
        Path folder = Path.of(System.getProperty("java.io.tmpdir"));
        for (int i = 0; i < args.length; i++) {
            if (args[i].equals("--quick")) {
                quick = true;
            } else if (args[i].equals("--sizes")) {
                sizes = true;
            } else if (args[i].equals("--only") && i + 1 < args.length) {
                only = args[++i];
            } else if (args[i].equals("--pictures") && args.length == 3) {
                Pictures.draw(Results.in(Path.of(args[1])), Path.of(args[2]));
                return;
            } else if (args[i].equals("--screens") && args.length == 2) {
                ConsoleScreens.take(Path.of(args[1]), folder);
                return;
            } else if (args[i].equals("--dir") && i + 1 < args.length) {
                folder = Path.of(args[++i]);
            } else {
                System.err.print(USAGE);
                System.exit(args[i].equals("--help") ? 0 : 2);
            }
        }
        if (!Files.isDirectory(folder)) {
            System.err.println("there is no folder " + folder + "; make it, or name another with --dir");
            System.exit(2);
        }
        System.out.println("date:    " + LocalDate.now(ZoneOffset.UTC));
        System.out.println("command: java -jar benchmarks/target/idem-benchmarks.jar "
                + Arrays.stream(args)
                        .map(word -> word.contains(" ") ? "\"" + word + "\"" : word)
                        .collect(Collectors.joining(" ")));
        run(sizes ? sizes() : scenarios(), quick ? Effort.quick(folder) : Effort.full(folder), only);
    }

    /** The scenarios that measure the size of ledgers. */
    static List<Scenario> sizes() {
        return List.of(
                new MemorySize(),
                new SqliteSize(),
                new JsonlSize(),
                new PostgresqlSize(),
                new OnRedis("Redis, size", RedisSize::new));
    }

    static List<Scenario> scenarios() {
        return List.of(
                new MemoryCalls(),
                new Deriving(),
                new CachedReads(),
                new SessionReplays(),
                new GzipSavings(),
                new MemoryCrowd(),
                new Duplicates("memory", folder -> Ledgers.inMemory()),
                new SqliteCalls(),
                new FileCrowd.OnSqlite(),
                new ManyThreads.InSqlite(),
                new Duplicates("SQLite", folder -> Ledgers.inSqlite(folder.file("idem.db"))),
                new JsonlCalls(),
                new FileCrowd.OnJsonl(),
                new ManyThreads.InJsonl(),
                new JsonlOpening(),
                new Duplicates("JSONL", folder -> Ledgers.inJsonl(folder.file("idem.jsonl"))),
                new PostgresqlCalls(),
                new PostgresqlDuplicates(),
                new ManyThreads.InPostgresql(),
                new OnRedis("Redis, one thread", RedisCalls::new),
                new OnRedis("Redis, many threads", ManyThreads.InRedis::new),
                new OnRedis(
                        "Redis, 16 duplicates", server -> new Duplicates("Redis", folder -> Ledgers.inRedis(server))),
                new HttpFilter(),
                new McpGuard(),
                new Served(),
                new ConsolePages(),
                new Packages(),
                new StartUp());
    }

    private static void run(List<Scenario> scenarios, Effort effort, String only) throws Exception {
        Report report = new Report();
        String before = Machine.load();
        for (Scenario scenario : scenarios) {
            if (scenario.name().toLowerCase(Locale.ROOT).contains(only.toLowerCase(Locale.ROOT))) {
                System.err.println("measuring: " + scenario.name());
                report.add(scenario.run(effort));
            }
        }
        System.out.print(Machine.describe());
        System.out.println("load:    " + before + " before, " + Machine.load() + " after");
        System.out.println();
        System.out.print(report.text());
    }
}
