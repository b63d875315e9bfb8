package dev.idem.cli.upkeep;

import dev.idem.Entry;
import dev.idem.LedgerException;
import dev.idem.State;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.entry.LedgerPlace;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Durations;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntax.Trait;
import dev.idem.command.Answer;
import dev.idem.command.Danger;
import dev.idem.command.ExitCode;
import dev.idem.internal.codec.RequestLine;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Ledger;
import dev.idem.spi.Owner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * {@code idem import}: claims and settles each entry as if it had run here. So it works on every ledger, and existing
 * entries stay. The same call finishes an interrupted import.
 */
public record ImportCommand(Surroundings around, Arguments arguments) {
    private static final Option IMPORT_OPERATION = Option.of(
            "--operation",
            "NAME",
            "the operation of lines without one; without it execute_once for a table, request for states");

    public static final Command COMMAND = Syntax.of(
                    "import", "imports exported entries, a file of request states, or a SQLite table of results")
            .takes("FILE")
            .is(Danger.MUTATING, Trait.READS_ALL, Trait.RESUMES)
            .has(Options.SCOPE, IMPORT_OPERATION, Options.TTL)
            .has(Options.ONCE)
            .has(Options.LEDGER_OUTPUT)
            .ends(3, 4, 5, 6, 12)
            .explained("""
            Lines of export keep their scope, operation and expiry. A file of request states goes to the operation that
            RequestStore reads (request), a SQLite table of results to that of executeOnce (execute_once), in --scope;
            they are kept for good, or with --ttl for that time from when they ended there. Existing entries stay,
            and the same call finishes an interrupted import. Exit 3: something was left out; data
            says which lines and entries, and why.
            """)
            .does((around, arguments) -> new ImportCommand(around, arguments).run());

    private Answer run() throws IOException {
        Path path = around.directory().resolve(arguments.operand());
        if (!Files.isReadable(path) || Files.isDirectory(path)) {
            return Answer.no(ExitCode.NOT_FOUND, "NOT_FOUND", "'" + path + "' is no file that can be read");
        }
        Duration keep = Durations.positive(arguments, Options.TTL);
        ImportFile file = ImportFile.read(
                path,
                new ImportLines(
                        arguments.value(Options.SCOPE),
                        arguments.find(IMPORT_OPERATION),
                        keep,
                        arguments.flag(Options.TTL) ? keep : RequestLine.FOR_GOOD,
                        around.host().now().wall()));
        ImportReport report = new ImportReport(file, arguments.flag(Options.DRY_RUN));
        try (Ledger ledger = LedgerPlace.open(around, arguments)) {
            for (Imported entry : file.entries()) {
                Integer signal = around.signals().exitCode();
                if (signal != null) {
                    return report.interrupted(signal);
                }
                take(ledger, entry, report);
            }
        } catch (LedgerException e) {
            return report.failed(e);
        }
        return report.whole();
    }

    private void take(Ledger ledger, Imported entry, ImportReport report) {
        // Read first: a claim of an existing entry would count as a replay.
        Entry there = ledger.find(entry.address()).orElse(null);
        if (there == null || entry.halfWritten(there) || entry.replaces(there)) {
            if (there != null && there.fingerprints().conflictsWith(entry.fingerprints())) {
                report.conflict(there);
            } else if (report.dry()) {
                report.created();
            } else {
                if (there != null && there.state() == State.EXPIRED) {
                    // Forgets only the entry that was seen. If another process was faster, the claim below finds its
                    // entry.
                    ledger.forget(there);
                }
                write(ledger, entry, report);
            }
        } else if (there.fingerprints().conflictsWith(entry.fingerprints())) {
            report.conflict(there);
        } else if (entry.isCoveredBy(there)) {
            report.present();
        } else {
            report.differs(there, entry);
        }
    }

    private void write(Ledger ledger, Imported entry, ImportReport report) {
        Owner self = around.host().self();
        ClaimRequest request = ClaimRequest.of(
                        entry.attemptId(),
                        entry.address(),
                        entry.fingerprints(),
                        new Owner("idem import, " + self.name(), self.process()))
                .withLabels(entry.labels())
                .withParent(entry.parent());
        Claim claim = ledger.claim(request);
        if (claim instanceof Claim.Granted || (claim instanceof Claim.InDoubt && entry.halfWritten(claim.entry()))) {
            if (entry.settle(ledger, claim)) {
                report.created();
            } else {
                // Another import of the same file was faster.
                report.present();
            }
        } else if (claim instanceof Claim.Conflict) {
            report.conflict(claim.entry());
        } else if (entry.isCoveredBy(claim.entry())) {
            report.present();
        } else {
            report.differs(claim.entry(), entry);
        }
    }
}
