package dev.idem.cli.entry;

import dev.idem.cli.envelope.Answer;
import dev.idem.cli.envelope.Exit;
import dev.idem.cli.envelope.Problem;
import dev.idem.cli.syntax.Ages;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Syntaxes;
import dev.idem.cli.syntax.UsageException;
import dev.idem.entry.State;
import dev.idem.ledger.Ledger;
import dev.idem.ledger.Query;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads the options that say which entries are meant. */
public final class Queries {
    private Queries() {}

    /** The entries a line asks for; options its command does not have are as if they were not given. */
    public static Query of(Arguments arguments, Instant now) {
        Query query = Query.all()
                .withScope(arguments.find(Syntaxes.ONLY_SCOPE))
                .withOperation(arguments.find(Syntaxes.ONLY_OPERATION))
                .withLabels(labels(arguments.all(Syntaxes.ONLY_LABEL)))
                .withAge(Ages.of(arguments, Syntaxes.OLDER_THAN, now), Ages.of(arguments, Syntaxes.NEWER_THAN, now))
                .withAfter(arguments.find(Syntaxes.CURSOR))
                .withLimit(arguments.number(Syntaxes.LIMIT, 1, 1000));
        String state = arguments.find(Syntaxes.STATE);
        return state == null ? query : query.withStates(State.ofWord(state));
    }

    /** Reads {@code NAME=VALUE} pairs. */
    public static Map<String, String> labels(List<String> pairs) {
        Map<String, String> labels = new TreeMap<>();
        for (String pair : pairs) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw new UsageException("'" + pair + "' is not NAME=VALUE");
            }
            labels.put(pair.substring(0, equals), pair.substring(equals + 1));
        }
        return labels;
    }

    /** What is said of a ledger without a list. */
    public static Answer notBrowsable(Ledger ledger) {
        return Answer.no(
                Exit.GENERAL,
                Problem.of("NOT_BROWSABLE", "this ledger can't list its entries: " + ledger.describe()),
                null);
    }
}
