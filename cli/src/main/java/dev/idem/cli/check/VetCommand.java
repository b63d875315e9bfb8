package dev.idem.cli.check;

import dev.idem.JsonException;
import dev.idem.agent.check.CheckReport;
import dev.idem.agent.check.Finding;
import dev.idem.agent.check.Severity;
import dev.idem.agent.check.Tools;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.UsageException;
import dev.idem.command.Answer;
import dev.idem.command.ExitCode;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code idem vet}: checks the tools in jars, folders of classes and JSON lists. */
public final class VetCommand {
    private static final Option CLASSPATH = Option.of(
            "--classpath",
            "PATHS",
            "jars and folders that the classes need, as java takes them; a * stands for all jars of a folder");
    private static final Option FAIL_ON = Option.of(
                    "--fail-on", "SEVERITY", "error", "ends with 1 if there is a finding of this level or worse")
            .withWords("error", "warning", "note", "never");
    private static final Option SARIF = Option.flag(
                    "--sarif", "writes the findings as SARIF 2.1.0, which code hosts show beside the code")
            .asDocument();

    public static final Command COMMAND = Syntax.of(
                    "vet",
                    "checks tools before a deploy: which would run twice, end in doubt, or destroy without an approval")
            .takes("PATH...")
            .has(CLASSPATH, FAIL_ON, SARIF)
            .has(Options.OUTPUT)
            .ends(5)
            .explained("""
            PATH is a jar, a folder of classes, or a .json file with a list of tools as MCP, OpenAI or Anthropic write it.
            The code is read, not run. Classes need their dependencies in the same jar or folder, or in --classpath, also
            the annotations of a framework: without them its tools are not seen. If no tool is found, the exit is 1.
            """)
            .does((around, arguments) -> new VetCommand(around, arguments).run());

    private static final String NEVER = "never";

    private final Surroundings around;
    private final Arguments arguments;

    private VetCommand(Surroundings around, Arguments arguments) {
        this.around = around;
        this.arguments = arguments;
        if (arguments.flag(SARIF) && arguments.flag(Options.JSON)) {
            throw new UsageException("--sarif and --json are two shapes; give one of them");
        }
    }

    private Answer run() throws IOException {
        int tools = 0;
        List<Path> classpath = classpath();
        List<Finding> findings = new ArrayList<>();
        for (String given : arguments.operands()) {
            Path path = path(given);
            if (!Files.isReadable(path)) {
                return Answer.no(ExitCode.NOT_FOUND, "NOT_FOUND", "'" + given + "' is nothing that can be read")
                        .fix("name a jar, a folder of classes or a .json file");
            }
            CheckReport report = check(path, given, classpath);
            tools += report.tools();
            findings.addAll(Unreadable.together(report.findings(), given));
        }
        return answer(new CheckReport(tools, findings));
    }

    /** The path as given, if possible: reports name it, and code hosts expect relative names. */
    private Path path(String given) {
        try {
            Path path = around.directory().resolve(given);
            return around.directory().equals(Path.of("").toAbsolutePath()) ? Path.of(given) : path;
        } catch (InvalidPathException e) {
            throw new UsageException("'" + given + "' is no path");
        }
    }

    /** The value of {@code --classpath}. A mistyped part is an error, because it would hide tools. */
    private List<Path> classpath() throws IOException {
        String given = arguments.find(CLASSPATH);
        List<Path> parts = new ArrayList<>();
        if (given == null) {
            return parts;
        }
        for (String part : given.split(Pattern.quote(File.pathSeparator), -1)) {
            boolean all = part.equals("*") || part.endsWith("/*");
            Path path = path(all ? part.substring(0, part.length() - 1) : part);
            if (part.isEmpty() || !Files.isReadable(path)) {
                throw new UsageException("--classpath: '" + part + "' is nothing that can be read");
            } else if (all) {
                try (Stream<Path> files = Files.list(path)) {
                    files.filter(file -> file.toString().endsWith(".jar"))
                            .sorted()
                            .forEach(parts::add);
                }
            } else {
                parts.add(path);
            }
        }
        return parts;
    }

    private static CheckReport check(Path path, String given, List<Path> classpath) {
        try {
            return Tools.check(path, classpath);
        } catch (JsonException e) {
            throw new UsageException("'" + given + "' is not strict JSON: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            throw new UsageException("'" + given + "': " + e.getMessage());
        } catch (IOException | UncheckedIOException e) {
            throw new UsageException("'" + given + "' can't be read: " + e.getMessage());
        }
    }

    private Answer answer(CheckReport report) {
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("tools", report.tools());
        data.put("findings", report.findings().stream().map(VetCommand::fields).toList());
        String word = arguments.value(FAIL_ON);
        if (report.tools() == 0) {
            return nothingChecked(report, data).text(text(report));
        }
        boolean bad = !word.equals(NEVER) && report.has(Severity.valueOf(word.toUpperCase(Locale.ROOT)));
        Answer answer = bad
                ? Answer.no(ExitCode.GENERAL_ERROR, "FINDINGS", "there is a finding of level '" + word + "' or worse")
                        .fix("do what each finding says under fix, or lower --fail-on")
                        .data(data)
                : Answer.ok(data);
        return answer.text(text(report));
    }

    private String text(CheckReport report) {
        return arguments.flag(SARIF) ? report.sarif() + "\n" : report.text();
    }

    /** An error at every level: a gate that checks nothing lets everything pass. */
    private Answer nothingChecked(CheckReport report, Map<String, @Nullable Object> data) {
        boolean unreadable = report.findings().stream().anyMatch(Unreadable::isUnreadable);
        String given = String.join(", ", arguments.operands());
        String fix = unreadable
                ? Unreadable.FIX
                : "give a jar or a folder with classes whose methods are annotated as tools, and with --classpath the jar "
                        + "that has the annotations of a framework, or a .json list of the tools";
        return Answer.no(
                        ExitCode.GENERAL_ERROR,
                        "NO_TOOLS",
                        "no tool was checked: "
                                + (unreadable ? "what is there could not be read in " : "there is none in ")
                                + given)
                .fix(fix)
                .data(data)
                .line(fix);
    }

    private static Map<String, Object> fields(Finding finding) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("rule", finding.rule());
        fields.put("severity", finding.severity().word());
        fields.put("tool", finding.tool());
        fields.put("source", finding.source());
        fields.put("message", finding.message());
        fields.put("fix", finding.fix());
        return fields;
    }
}
