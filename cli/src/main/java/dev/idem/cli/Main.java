package dev.idem.cli;

import dev.idem.ledger.Host;
import dev.idem.ledger.Ledger;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.Ledgers;
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

    /** Does what the words ask and gives the exit code; every ledger it opens is decorated first. */
    static int run(String[] args, UnaryOperator<Ledger> decorate) {
        Host host = Host.system();
        Map<String, String> env = new HashMap<>(System.getenv());
        OuterLocale.restore(env);
        Signals signals = new Signals(Thread.currentThread());
        SystemSignals.sendTo(signals::receive);
        return new CommandLine(new Surroundings(
                        () -> ExactArguments.require(args),
                        env,
                        Path.of("").toAbsolutePath(),
                        Redirect.INHERIT,
                        new FileInputStream(FileDescriptor.in),
                        new FileOutputStream(FileDescriptor.out),
                        new FileOutputStream(FileDescriptor.err),
                        url -> decorate.apply(Ledgers.open(url, LedgerContext.ofHost(host))),
                        host,
                        signals,
                        System.getProperty("idem.program", "idem"),
                        System::nanoTime))
                .run(List.of(args));
    }
}
