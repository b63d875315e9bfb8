package dev.idem.cli;

import dev.idem.cli.around.InterruptibleInput;
import dev.idem.cli.around.OuterLocale;
import dev.idem.cli.around.OutputStyle;
import dev.idem.cli.around.Surroundings;
import dev.idem.command.Signals;
import dev.idem.command.SystemSignals;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.LedgerUrl;
import dev.idem.spi.Ledgers;
import dev.idem.sqlite.SqliteLedgerProvider;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The {@code idem} command. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(run(args, UnaryOperator.identity()));
    }

    /** Runs the line and returns the exit code; every ledger it opens is decorated first. */
    static int run(String[] args, UnaryOperator<Ledger> decorate) {
        Map<String, String> env = new HashMap<>(System.getenv());
        List<String> words = List.of(args);
        // The doubts of a demo are made up.
        if (args.length > 0 && args[0].equals("serve") && !words.contains("--stdio") && !words.contains("--demo")) {
            Logs.serve();
        }
        Ahead.load(args, env);
        Host host = Host.system();
        OuterLocale.restore(env);
        Signals signals = new Signals(Thread.currentThread());
        SystemSignals.sendTo(signals::receive);
        return new CommandLine(new Surroundings(
                        () -> ExactArguments.require(args),
                        env,
                        Path.of("").toAbsolutePath(),
                        Redirect.INHERIT,
                        new InterruptibleInput(new FileInputStream(FileDescriptor.in)),
                        new FileOutputStream(FileDescriptor.out),
                        new FileOutputStream(FileDescriptor.err),
                        OutputStyle.system(env),
                        (url, readOnly) -> decorate.apply(open(url, context(host, readOnly))),
                        host,
                        signals,
                        System.getProperty("idem.program", "idem"),
                        System::nanoTime))
                .run(List.of(args));
    }

    private static LedgerContext context(Host host, boolean readOnly) {
        LedgerContext context = LedgerContext.ofHost(host);
        return readOnly ? context.forReading() : context;
    }

    /** Opens the default ledger by name: searching all jars for providers would slow down every start. */
    private static Ledger open(String url, LedgerContext context) {
        return url.startsWith(Ahead.SQLITE)
                ? new SqliteLedgerProvider().open(LedgerUrl.parse(url), context)
                : Ledgers.open(url, context);
    }
}
