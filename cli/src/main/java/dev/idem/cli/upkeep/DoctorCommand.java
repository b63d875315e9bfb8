package dev.idem.cli.upkeep;

import dev.idem.Entry;
import dev.idem.LedgerException;
import dev.idem.State;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.entry.LedgerPlace;
import dev.idem.cli.entry.Suggested;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Durations;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntax.Trait;
import dev.idem.command.Answer;
import dev.idem.command.ExitCode;
import dev.idem.spi.Ledger;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code idem doctor}: checks the ledger once, and says for each check whether it passed. */
public final class DoctorCommand {
    public static final Command COMMAND = Syntax.of(
                    "doctor", "checks the ledger: reachable, private, its clock, and what is stuck or in doubt")
            .is(Trait.LOOKS)
            .has(Options.LEDGER_OUTPUT)
            .ends(3, 12)
            .explained("Exit 3: it works, and something needs attention.\n")
            .does((around, arguments) -> new DoctorCommand(around, arguments).run());

    private static final Duration SKEW = Duration.ofSeconds(5);
    private static final Duration LONG = Duration.ofHours(1);
    private static final Set<PosixFilePermission> OTHERS = Set.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    private final Surroundings around;
    private final Arguments arguments;
    private final List<Check> checks = new ArrayList<>();

    private record Check(String name, boolean ok, String detail) {}

    private DoctorCommand(Surroundings around, Arguments arguments) {
        this.around = around;
        this.arguments = arguments;
    }

    private Answer run() {
        checks.add(new Check("java", true, "Java " + Runtime.version().feature()));
        String url = LedgerPlace.place(arguments, around.env());
        LedgerException unusable = null;
        try (Ledger ledger = LedgerPlace.open(around, arguments)) {
            checks.add(new Check("reachable", true, ledger.describe()));
            ledger.as(Browsable.class).ifPresent(this::entries);
        } catch (LedgerException e) {
            unusable = e;
            checks.add(new Check("reachable", false, String.valueOf(e.getMessage())));
        }
        privacy(url);
        return answer(unusable);
    }

    private void entries(Browsable browsable) {
        Instant now = around.host().now().wall();
        List<Entry> newest = browsable.browse(Query.all().withLimit(1)).entries();
        Instant claimed = newest.isEmpty() ? now : newest.get(0).times().claimed();
        boolean ahead = claimed.isAfter(now.plus(SKEW));
        checks.add(new Check(
                "clock",
                !ahead,
                ahead
                        ? "the newest claim is " + Durations.words(Duration.between(now, claimed))
                                + " in the future: the clocks differ"
                        : "no claim is in the future"));
        checks.add(counted(
                "in_doubt",
                browsable.stats().count(State.IN_DOUBT),
                "in doubt; see: " + Suggested.line(around.program(), arguments, "ls", "--state", "in_doubt")));
        long stuck = browsable
                .browse(Query.all().withStates(State.IN_PROGRESS).withAge(LONG, null))
                .entries()
                .size();
        checks.add(counted(
                "stuck",
                stuck,
                "in progress for more than an hour; see: "
                        + Suggested.line(
                                around.program(), arguments, "ls", "--state", "in_progress", "--older-than", "1h")));
    }

    private static Check counted(String name, long count, String what) {
        return new Check(name, count == 0, count == 0 ? "none" : count + " " + what);
    }

    /** Results may hold secrets: only the owner should be able to read the file. */
    private void privacy(String url) {
        Path file = LedgerPlace.file(url, around.directory());
        if (file == null) {
            return;
        } else if (!Files.exists(file)) {
            checks.add(new Check("private", true, "there is no ledger yet: the first run makes " + file));
            return;
        }
        try {
            Set<PosixFilePermission> open = new java.util.TreeSet<>(Files.getPosixFilePermissions(file));
            open.retainAll(OTHERS);
            checks.add(new Check(
                    "private",
                    open.isEmpty(),
                    open.isEmpty() ? file + " is yours alone" : file + " is open to others; chmod 600 it"));
        } catch (IOException | UnsupportedOperationException e) {
            checks.add(new Check("private", false, "the permissions of " + file + " can't be read: " + e));
        }
    }

    private Answer answer(@Nullable LedgerException unusable) {
        List<Map<String, Object>> told = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        boolean well = true;
        for (Check check : checks) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("name", check.name());
            fields.put("ok", check.ok());
            fields.put("detail", check.detail());
            told.add(fields);
            well &= check.ok();
            text.append(
                            check.ok()
                                    ? around.style().colour(32, "ok      ")
                                    : around.style().colour(31, "warning "))
                    .append(" ")
                    .append(check.name())
                    .append(": ")
                    .append(check.detail())
                    .append('\n');
        }
        Answer answer = well
                ? Answer.ok("noop")
                : unusable != null
                        ? Answer.noLedger(unusable, "the ledger can't be used")
                        : Answer.no(ExitCode.PARTIAL_FAILURE, "ATTENTION", "something needs attention")
                                .fix("see data.checks");
        return answer.with("effect", "noop").with("checks", told).text(text.toString());
    }
}
