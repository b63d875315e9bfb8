package dev.idem.cli.mcp;

import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntax.Trait;
import dev.idem.cli.syntax.UsageException;
import dev.idem.command.Answer;
import dev.idem.command.Danger;
import dev.idem.command.ExitCode;
import dev.idem.command.Printable;
import dev.idem.command.Terminal;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code idem mcp install}: changes the configuration of hosts, so that they start their servers behind the guard. */
public final class InstallCommand {
    private static final Option HOST = Option.of(
                    "--host", "HOST", "only the files of this host: " + String.join(", ", Hosts.NAMES))
            .withWords(Hosts.NAMES.toArray(String[]::new));
    private static final Option FILE = Option.of("--file", "PATH", "this file, in place of those of the hosts");
    private static final Option SERVER =
            Option.of("--server", "NAME", "only the server of this name").repeating();
    private static final Option UNDO = Option.flag("--undo", "takes the guard away again");
    private static final Option CONSENT = Option.flag("--yes", "changes the files without asking");
    private static final Option CHANGES_ONLY = Option.flag("--dry-run", "shows the changes; changes nothing");

    public static final Command COMMAND = Syntax.of(
                    "mcp install", "lets the hosts on this machine start their MCP servers behind the guard")
            .is(Danger.MUTATING, Trait.RESUMES)
            .has(HOST, FILE, SERVER, UNDO, CONSENT, CHANGES_ONLY, Options.IDEMPOTENCY_KEY)
            .has(Options.OUTPUT, Options.LEDGER)
            .ends(3, 4, 5, 6, 7, 12)
            .explained("""
            It changes the command of each server on stdio to: idem mcp --name NAME -- COMMAND [ARGUMENT...]
            It shows the changes and asks first, keeps the old file beside the new one, and leaves servers with a url and
            guarded ones alone. Arguments of a server are not shown. The hosts must be started again.
            """)
            .does((around, arguments) -> new InstallCommand(around, arguments, Terminal.isStdin()).run());

    private static final int LONGEST_ANSWER = 100;

    private final Surroundings around;
    private final Arguments arguments;
    private final boolean person;
    private final HostConfig.Plan plan;

    /**
     * Checks the line.
     *
     * @param person whether stdin is a terminal, at which somebody can be asked
     */
    InstallCommand(Surroundings around, Arguments arguments, boolean person) {
        this.around = around;
        this.arguments = arguments;
        this.person = person;
        this.plan = new HostConfig.Plan(
                Launcher.of(around),
                Set.copyOf(arguments.all(SERVER)),
                arguments.flag(UNDO),
                around.directory().toString());
    }

    /** A file and what is to be changed there. */
    private record Planned(HostFile file, HostConfig config) {}

    /** The answer to the caller, where something can't be changed. */
    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1;
        private final transient Answer answer;

        Refused(Answer answer) {
            super("refused", null, false, false);
            this.answer = answer;
        }

        String why() {
            return String.valueOf(Objects.requireNonNull(answer.error()).get("message"));
        }
    }

    Answer run() throws IOException {
        try {
            List<Planned> all = new ArrayList<>();
            List<Refused> left = new ArrayList<>();
            for (Path file : files()) {
                try {
                    all.add(planned(file));
                } catch (Refused e) {
                    // The files of the other hosts are not worse for it.
                    left.add(e);
                }
            }
            requireServers(all, left);
            List<Planned> changing = all.stream()
                    .filter(each -> !each.config.changes().isEmpty())
                    .toList();
            String text = text(all) + left(left);
            if (changing.isEmpty() && !left.isEmpty()) {
                throw left.get(0);
            } else if (changing.isEmpty()) {
                return fields(Answer.ok("noop"), all, List.of())
                        .with("reason", "there is nothing to change")
                        .text(text + "nothing to change\n");
            } else if (arguments.flag(CHANGES_ONLY)) {
                return fields(Answer.ok("would_update"), all, List.of()).text(text);
            }
            return change(all, agreed(all, changing, left), left);
        } catch (Refused e) {
            return e.answer;
        } catch (InterruptedIOException e) {
            // At the question. The command line answers for the signal.
            around.complain("\nidem: nothing was changed\n");
            return Answer.ok("noop");
        }
    }

    /** The files to look at: each is there, and none is there twice. */
    private Set<Path> files() throws Refused, IOException {
        String given = arguments.find(FILE);
        String host = arguments.find(HOST);
        List<Path> places = given != null
                ? List.of(path(given))
                : new Hosts(around.env(), around.directory(), System.getProperty("os.name", ""))
                        .files(host == null ? Hosts.NAMES : List.of(host));
        Map<Path, Path> found = new LinkedHashMap<>();
        for (Path place : places) {
            if (Files.isRegularFile(place)) {
                found.putIfAbsent(place.toRealPath(), place);
            }
        }
        if (found.isEmpty()) {
            String where = places.stream().map(Path::toString).collect(Collectors.joining(", "));
            throw new Refused(Answer.no(
                            ExitCode.NOT_FOUND,
                            "NOT_FOUND",
                            (given == null ? "no configuration of a host was found. Looked at " : "there is no file ")
                                    + where)
                    .fix("name the file of the host with --file PATH"));
        }
        return new LinkedHashSet<>(found.values());
    }

    private Path path(String given) {
        try {
            return around.directory().resolve(given).normalize();
        } catch (InvalidPathException e) {
            throw new UsageException("--file: '" + given + "' is no path");
        }
    }

    private Planned planned(Path path) throws Refused {
        try {
            HostFile file = HostFile.at(path);
            Planned planned = new Planned(file, HostConfig.of(file.read(), plan));
            if (!planned.config.changes().isEmpty()) {
                file.requireWritable();
            }
            return planned;
        } catch (Jsonc.Malformed e) {
            throw unusable(path, "is no JSON: " + e.getMessage());
        } catch (CharacterCodingException e) {
            throw unusable(path, "is no text in UTF-8");
        } catch (IOException e) {
            throw failed(path, "can't be read or changed", e, List.of());
        }
    }

    private static Refused unusable(Path path, String what) {
        return new Refused(Answer.no(ExitCode.GENERAL_ERROR, "MALFORMED", path + " " + what + ". It was not changed")
                .fix("correct the file, or choose another with --host or --file"));
    }

    private void requireServers(List<Planned> all, List<Refused> left) throws Refused {
        Set<String> missing = new LinkedHashSet<>(arguments.all(SERVER));
        all.forEach(each -> each.config.steps().forEach(step -> missing.remove(step.name())));
        if (!missing.isEmpty() && !left.isEmpty()) {
            throw left.get(0);
        } else if (!missing.isEmpty()) {
            String where =
                    all.stream().map(each -> each.file.shown().toString()).collect(Collectors.joining(", "));
            throw new Refused(Answer.no(
                            ExitCode.NOT_FOUND,
                            "NOT_FOUND",
                            "there is no server '" + String.join("', '", missing) + "' in " + where
                                    + ". Nothing was changed")
                    .fix("give the name that the server has in the file"));
        }
    }

    /** The files that may be changed. All questions come before the first change. */
    private List<Planned> agreed(List<Planned> all, List<Planned> changing, List<Refused> left)
            throws Refused, IOException {
        if (arguments.flag(CONSENT)) {
            return changing;
        } else if (!person) {
            around.complain(text(all) + left(left));
            throw new Refused(Answer.no(
                            ExitCode.ARG_ERROR,
                            "CONFIRMATION",
                            "there is no terminal at which a person could agree. Nothing was changed")
                    .fix("add --yes to change the files, or --dry-run to see the changes"));
        }
        List<Planned> agreed = new ArrayList<>();
        around.complain(left(left));
        for (Planned each : all) {
            around.complain(text(List.of(each)));
            if (changing.contains(each)) {
                around.complain("Change this file? [y/N] ");
                if (Set.of("y", "yes").contains(line().strip().toLowerCase(Locale.ROOT))) {
                    agreed.add(each);
                }
            }
        }
        if (agreed.isEmpty()) {
            throw new Refused(Answer.no(ExitCode.GENERAL_ERROR, "DECLINED", "nothing was changed")
                    .fix("answer y, or add --yes"));
        }
        return agreed;
    }

    /** Reads a line of the person. */
    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        int next = around.in().read();
        for (; next >= 0 && next != '\n'; next = around.in().read()) {
            if (line.length() < LONGEST_ANSWER) {
                line.append((char) next);
            }
        }
        if (next < 0) {
            // No Enter has ended the line of the question.
            around.complain("\n");
        }
        return line.toString();
    }

    private Answer change(List<Planned> all, List<Planned> agreed, List<Refused> left) throws Refused {
        List<Planned> now = new ArrayList<>();
        for (Planned each : agreed) {
            now.add(again(each));
        }
        if (!around.signals().begin()) {
            return Answer.ok("noop");
        }
        // From here on a signal waits: each file is changed whole, and the answer tells which.
        around.signals().ended();
        List<Path> backups = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (Planned each : now) {
            HostConfig config = each.config;
            try {
                backups.add(each.file.write(
                        config.json(), config.changed(), around.host().now().wall()));
            } catch (IOException e) {
                throw failed(each.file.shown(), "can't be changed", e, backups);
            }
            text.append("changed ").append(each.file.shown()).append(": ").append(names(config.changes()));
            text.append(". Backup: ").append(backups.get(backups.size() - 1)).append('\n');
        }
        Answer answer = fields(done(left), now, backups)
                .text(Printable.text(text.toString()))
                .line("start the host again, so that it reads the file");
        if (!plan.undo()) {
            answer.line(
                    "a repeated call of a tool gets the first answer, unless the server or --rules FILE says that the tool "
                            + "only reads. " + around.program() + " mcp rules drafts such a file");
        }
        sameNames(all)
                .forEach(name -> answer.warn(
                        "SAME_NAME",
                        "'" + Printable.line(name)
                                + "' names two servers that differ, which would answer for each other. Give one "
                                + "of them another --name in its file"));
        return answer;
    }

    /** The answer after the changes: it tells which files were left out. */
    private static Answer done(List<Refused> left) {
        if (left.isEmpty()) {
            return Answer.ok("updated");
        }
        String why = left.stream().map(Refused::why).collect(Collectors.joining("; "));
        return Answer.no(ExitCode.PARTIAL_FAILURE, "FILE", why + ". Other files were changed")
                .fix("correct the file, and do the same again: what is guarded is left alone")
                .with("effect", "updated");
    }

    /** The files that can't be changed, for people. */
    private static String left(List<Refused> left) {
        return left.stream().map(each -> Printable.line(each.why()) + "\n").collect(Collectors.joining());
    }

    /** Reads a file again, because its host may have written it meanwhile: only what was agreed to is changed. */
    private Planned again(Planned agreed) throws Refused {
        Path path = agreed.file.shown();
        Planned now = planned(path);
        if (!now.config.sameChanges(agreed.config)) {
            throw new Refused(Answer.no(
                    ExitCode.PRECONDITION,
                    "CHANGED",
                    path + " has changed since it was read. Nothing was changed. Do the same again"));
        }
        return now;
    }

    private static Refused failed(Path path, String what, IOException e, List<Path> backups) {
        ExitCode exit = !backups.isEmpty()
                ? ExitCode.PARTIAL_FAILURE
                : e instanceof AccessDeniedException ? ExitCode.PERMISSION_DENIED : ExitCode.GENERAL_ERROR;
        String why = e instanceof AccessDeniedException denied
                ? denied.getReason() == null ? "it is not permitted" : denied.getReason()
                : String.valueOf(e.getMessage());
        return new Refused(Answer.no(exit, "FILE", path + " " + what + ": " + why)
                .fix(backups.isEmpty() ? "check the file and its folder" : "other files were changed: look at them")
                .with("effect", backups.isEmpty() ? "noop" : "updated"));
    }

    /** The names of servers that are guarded from now on, and mean something else in another file. */
    private Set<String> sameNames(List<Planned> all) {
        Map<String, String> seen = new LinkedHashMap<>();
        Set<String> same = new LinkedHashSet<>();
        for (Planned each : all) {
            for (ServerEntry.Step step : each.config.changes()) {
                String before = seen.putIfAbsent(step.name(), step.definition());
                if (!plan.undo() && before != null && !before.equals(step.definition())) {
                    same.add(step.name());
                }
            }
        }
        return same;
    }

    private static Answer fields(Answer answer, List<Planned> files, List<Path> backups) {
        List<String> changes = new ArrayList<>();
        List<@Nullable Object> fields = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            HostConfig config = files.get(i).config;
            Map<String, @Nullable Object> file = new LinkedHashMap<>();
            file.put("file", files.get(i).file.shown().toString());
            file.put(
                    "servers",
                    config.changes().stream().map(ServerEntry.Step::name).toList());
            Map<String, Object> alone = new LinkedHashMap<>();
            config.steps().stream().filter(step -> !step.changes()).forEach(step -> alone.put(step.name(), step.why()));
            file.put("left_alone", alone);
            if (!backups.isEmpty()) {
                file.put("backup", backups.get(i).toString());
            }
            fields.add(file);
            config.changes().forEach(step -> changes.add(file.get("file") + ": " + step.name()));
        }
        return answer.with("changes", changes).with("files", fields);
    }

    /** The changes for people. Names come from the file, which may be that of a stranger. */
    private static String text(List<Planned> all) {
        StringBuilder text = new StringBuilder();
        for (Planned each : all) {
            text.append(Printable.line(each.file.shown().toString())).append('\n');
            for (ServerEntry.Step step : each.config.changes()) {
                text.append("  ").append(Printable.line(step.name())).append('\n');
                text.append("  - ").append(Printable.line(step.before())).append('\n');
                text.append("  + ").append(Printable.line(step.after())).append('\n');
            }
            for (ServerEntry.Step step : each.config.steps()) {
                if (!step.changes()) {
                    text.append("  left alone: ").append(Printable.line(step.name()));
                    text.append(" (").append(step.why()).append(")\n");
                }
            }
            text.append(each.config.steps().isEmpty() ? "  it has no servers\n" : "");
        }
        return text.toString();
    }

    private static String names(List<ServerEntry.Step> steps) {
        return steps.stream().map(ServerEntry.Step::name).collect(Collectors.joining(", "));
    }
}
