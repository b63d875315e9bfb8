package dev.idem.cli.check;

import dev.idem.agent.check.Finding;
import dev.idem.agent.check.Report;
import dev.idem.agent.check.Severity;
import dev.idem.agent.check.Tools;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.envelope.Answer;
import dev.idem.cli.envelope.Exit;
import dev.idem.cli.envelope.Problem;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.CheckSyntaxes;
import dev.idem.cli.syntax.Syntaxes;
import dev.idem.cli.syntax.UsageException;
import dev.idem.json.JsonException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code idem vet}: checks the tools in jars, folders of classes and JSON lists. */
public final class VetCommand {
    private static final String NEVER = "never";

    private final Surroundings around;
    private final Arguments arguments;

    public VetCommand(Surroundings around, Arguments arguments) {
        this.around = around;
        this.arguments = arguments;
        if (arguments.flag(CheckSyntaxes.SARIF) && arguments.flag(Syntaxes.JSON)) {
            throw new UsageException("--sarif and --json are two shapes; give one of them");
        }
    }

    public Answer run() throws IOException {
        int tools = 0;
        List<Finding> findings = new ArrayList<>();
        for (String given : arguments.operands()) {
            Path path = path(given);
            if (!Files.isReadable(path)) {
                return Answer.no(
                        Exit.NOT_FOUND,
                        Problem.of("not_found", "'" + given + "' is nothing that can be read")
                                .withFix("name a jar, a folder of classes or a .json file"),
                        null);
            }
            Report report = check(path, given);
            tools += report.tools();
            findings.addAll(report.findings());
        }
        return answer(new Report(tools, findings));
    }

    /** As it was given where that is possible: reports name it, and code hosts want relative names. */
    private Path path(String given) {
        try {
            Path path = around.directory().resolve(given);
            return around.directory().equals(Path.of("").toAbsolutePath()) ? Path.of(given) : path;
        } catch (InvalidPathException e) {
            throw new UsageException("'" + given + "' is no path");
        }
    }

    private static Report check(Path path, String given) throws IOException {
        try {
            return Tools.check(path);
        } catch (JsonException e) {
            throw new UsageException("'" + given + "' is not strict JSON: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            throw new UsageException("'" + given + "': " + e.getMessage());
        }
    }

    private Answer answer(Report report) {
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("tools", report.tools());
        data.put("findings", report.findings().stream().map(VetCommand::fields).toList());
        String word = arguments.value(CheckSyntaxes.FAIL_ON);
        boolean bad = !word.equals(NEVER) && report.has(Severity.valueOf(word.toUpperCase(Locale.ROOT)));
        Answer answer = bad
                ? Answer.no(
                        Exit.GENERAL,
                        Problem.of("findings", "there is something as bad as '" + word + "', or worse")
                                .withFix("do what each finding says under fix, or lower --fail-on"),
                        data)
                : Answer.ok(data);
        return answer.text(arguments.flag(CheckSyntaxes.SARIF) ? report.sarif() + "\n" : report.text());
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
