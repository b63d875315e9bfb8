package dev.idem.cli.upkeep;

import dev.idem.cli.around.LedgerPlace;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.envelope.Answer;
import dev.idem.cli.envelope.Exit;
import dev.idem.cli.envelope.Problem;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Durations;
import dev.idem.cli.syntax.Syntaxes;
import dev.idem.entry.AttemptId;
import dev.idem.entry.Entry;
import dev.idem.entry.Owner;
import dev.idem.entry.Settlement;
import dev.idem.entry.State;
import dev.idem.ledger.Claim;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.Ledger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code idem import}: each entry is claimed and settled, as if it had run here. So it works on every ledger, and what is
 * there already is left alone.
 */
public final class ImportCommand {
    private final Surroundings around;
    private final Arguments arguments;
    private final SecureRandom random = new SecureRandom();
    private long created;
    private long present;
    private long conflicts;

    public ImportCommand(Surroundings around, Arguments arguments) {
        this.around = around;
        this.arguments = arguments;
    }

    public Answer run() throws IOException {
        Path path = around.directory().resolve(arguments.operand());
        if (!Files.isReadable(path) || Files.isDirectory(path)) {
            return Answer.no(
                    Exit.NOT_FOUND, Problem.of("NOT_FOUND", "'" + path + "' is no file that can be read"), null);
        }
        ImportFile file = ImportFile.read(
                path,
                new ImportLines(
                        arguments.value(Syntaxes.SCOPE),
                        Durations.positive(arguments, Syntaxes.TTL),
                        around.host().now().wall()));
        boolean dry = arguments.flag(Syntaxes.DRY_RUN);
        try (Ledger ledger = LedgerPlace.open(around, arguments)) {
            for (Imported entry : file.entries()) {
                if (around.signals().exitCode() != null) {
                    break;
                }
                // Looked at first: a claim of what is there would count as a replay.
                Entry there = ledger.find(entry.address()).orElse(null);
                if (there != null && stays(there, entry)) {
                    leave(there.fingerprints().conflictsWith(entry.fingerprints()));
                } else if (dry) {
                    created++;
                } else {
                    take(ledger, entry);
                }
            }
        }
        return answer(file, dry);
    }

    /** Only what has failed gives way, and only to what has not. */
    private static boolean stays(Entry there, Imported entry) {
        return there.state() != State.FAILED || entry.settlement() instanceof Settlement.Failed;
    }

    private void leave(boolean conflict) {
        if (conflict) {
            conflicts++;
        } else {
            present++;
        }
    }

    private void take(Ledger ledger, Imported entry) {
        ClaimRequest request = ClaimRequest.of(
                        new AttemptId(random.nextLong(), random.nextLong()),
                        entry.address(),
                        entry.fingerprints(),
                        Owner.named("idem import"))
                .withLabels(entry.labels());
        Claim claim = ledger.claim(request);
        if (claim instanceof Claim.Granted granted) {
            ledger.settle(granted.ticket(), entry.settlement());
            created++;
        } else {
            leave(claim instanceof Claim.Conflict);
        }
    }

    private Answer answer(ImportFile file, boolean dry) {
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("effect", created == 0 ? "noop" : dry ? "would_create" : "created");
        data.put("imported", created);
        data.put("already_there", present);
        data.put("conflicts", conflicts);
        data.put("expired", file.expired());
        String told = (dry ? "would take over " : "took over ") + created + (created == 1 ? " entry; " : " entries; ")
                + present + " are there already, " + conflicts + " are there with another fingerprint, "
                + file.expired() + " have expired\n";
        Answer answer = conflicts == 0
                ? Answer.ok(data)
                : Answer.no(
                        Exit.PARTIAL,
                        Problem.of(
                                "CONFLICT",
                                conflicts + " keys are used for something else here; these were left alone"),
                        data);
        answer.text(told);
        if (file.cutOff()) {
            answer.warn("CUT_OFF", "the export was interrupted when it wrote this file: entries are missing");
        }
        return file.torn() ? answer.warn("TORN_LINE", "the last line was cut off, and left out") : answer;
    }
}
