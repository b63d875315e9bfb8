package dev.idem.cli.entry;

import dev.idem.Address;
import dev.idem.State;
import dev.idem.cli.syntax.Ages;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.UsageException;
import dev.idem.command.Answer;
import dev.idem.command.ExitCode;
import dev.idem.server.Sieve;
import dev.idem.spi.Ledger;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the options that select entries, and those that label them. */
public final class Queries {
    public static final Option STATE = Option.of(
                    "--state", "WORD", "only in_progress, complete, failed, in_doubt or expired entries")
            .withWords("in_progress", "complete", "failed", "in_doubt", "expired");
    public static final Option ONLY_SCOPE = Option.of("--scope", "S", "only entries of this scope");
    public static final Option ONLY_OPERATION = Option.of("--operation", "NAME", "only entries of this operation");
    static final Option ONLY_LABEL =
            Option.of("--label", "NAME=VALUE", "only entries with this label").repeating();
    static final Option ONLY_KEY =
            Option.of("--key", "GLOB", "only entries with this key; * is any text, ? any character: 'charge-ann-*'");
    static final Option OLDER_THAN =
            Option.of("--older-than", "TIME", "only entries claimed before that: 2h or 7d ago, or 2026-11-15T09:30");
    static final Option NEWER_THAN =
            Option.of("--newer-than", "TIME", "only entries claimed since then: 2h or 7d ago, or a date");
    static final Option TRIES = Option.of("--tries", "N", "1", "only entries that were tried at least so often");
    static final Option MESSAGE = Option.of(
            "--message", "TEXT", "only failed entries and doubts whose failure or reason contains this: timeout");
    static final Option CURSOR = Option.of("--cursor", "TOKEN", "goes on where meta.cursor of a page ends");
    static final Option LIMIT = Option.of("--limit", "N", "50", "how many entries at most, 1-1000");
    public static final Option LABEL =
            Option.of("--label", "NAME=VALUE", "a searchable note on the entry").repeating();
    public static final Option RUN_ID = Option.of(
                    "--run", "ID", "the run of an agent that this belongs to, kept as the label run")
            .byEnv("IDEM_RUN_ID");

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final int LONGEST_VALUE = 255;

    private Queries() {}

    /** One page. Values that only the ledger can check, such as a cursor, are checked by it. */
    public static Page page(Browsable browsable, Query query) {
        try {
            return browsable.browse(query);
        } catch (IllegalArgumentException e) {
            throw new UsageException(CURSOR.name() + ": " + e.getMessage()
                    + ". Give the meta.cursor of the page before, on the same ledger");
        }
    }

    /** The query of a line; options that its command does not have count as not given. */
    public static Query of(Arguments arguments, Instant now) {
        Query query = Query.all()
                .withScope(arguments.find(ONLY_SCOPE))
                .withOperation(arguments.find(ONLY_OPERATION))
                .withLabels(labels(arguments.all(ONLY_LABEL)))
                .withAge(Ages.of(arguments, OLDER_THAN, now), Ages.of(arguments, NEWER_THAN, now))
                .withAfter(arguments.find(CURSOR))
                .withLimit(arguments.number(LIMIT, 1, 1000));
        String state = arguments.find(STATE);
        return state == null ? query : query.withStates(State.ofWord(state));
    }

    /**
     * What no ledger has an index for.
     *
     * @param by the person who has resolved the entries or allowed their calls; null for any
     * @param approved the calls that this person has allowed
     */
    static Sieve sieve(Arguments arguments, @Nullable String by, Set<Address> approved) {
        return new Sieve(null, by, approved, arguments.number(TRIES, 1, Integer.MAX_VALUE), arguments.find(MESSAGE));
    }

    /** The labels of a new entry: those on the line, and the run that it belongs to. */
    public static Map<String, String> labelsToSet(Arguments arguments) {
        Map<String, String> labels = labels(arguments.all(LABEL));
        String run = arguments.find(RUN_ID);
        if (run != null && !run.isEmpty()) {
            if (run.length() > LONGEST_VALUE || run.chars().anyMatch(Character::isISOControl)) {
                throw new UsageException(arguments.source(RUN_ID) + ": a run is named with at most " + LONGEST_VALUE
                        + " characters, without control characters");
            }
            labels.putIfAbsent("run", run);
        }
        return labels;
    }

    /** Reads {@code NAME=VALUE} pairs. */
    public static Map<String, String> labels(List<String> pairs) {
        Map<String, String> labels = new TreeMap<>();
        for (String pair : pairs) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw new UsageException("'" + pair + "' is not NAME=VALUE");
            }
            String name = pair.substring(0, equals);
            String value = pair.substring(equals + 1);
            if (!NAME.matcher(name).matches()) {
                throw new UsageException("--label: the name '" + name
                        + "' is not 1 to 64 letters, digits, dots, dashes " + "and underscores");
            }
            if (value.length() > LONGEST_VALUE || value.chars().anyMatch(Character::isISOControl)) {
                throw new UsageException("--label: the value of '" + name + "' has " + value.length()
                        + " characters; it must have at most " + LONGEST_VALUE + ", and no control characters");
            }
            labels.put(name, value);
        }
        return labels;
    }

    /** Warns of each entry that a list had to leave out. */
    public static void tellUnreadable(Answer answer, List<Page.Unreadable> unreadable) {
        unreadable.forEach(entry -> answer.warn("UNREADABLE", "an entry is left out: " + entry.why()));
    }

    /** The answer for a ledger that can't list entries. */
    public static Answer notBrowsable(Ledger ledger) {
        return Answer.no(
                ExitCode.GENERAL_ERROR, "NOT_BROWSABLE", "this ledger can't list its entries: " + ledger.describe());
    }
}
