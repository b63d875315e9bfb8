package dev.idem.agent.check;

import dev.idem.agent.session.Session;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.Toolbox;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks tools before a deploy: which of them would run twice, end in doubt, or destroy without an approval. Thread-safe.
 *
 * <pre>{@code
 * CheckReport report = Tools.check(charge, drop);
 * System.out.println(report.text());
 * System.exit(report.exitCode(Severity.ERROR));
 * }</pre>
 */
public final class Tools {
    private Tools() {}

    /** Checks these tools. */
    public static CheckReport check(Tool... tools) {
        return check(Toolbox.of(tools));
    }

    /** Checks these tools. */
    public static CheckReport check(Toolbox tools) {
        return report(
                tools.all().stream()
                        .map(tool -> new Checked(tool, "code", null))
                        .toList(),
                List.of());
    }

    /** Checks the tools of a session, and the session's own id. */
    public static CheckReport check(Session session) {
        String scope = session.survivesRestart() ? session.id() : "";
        return report(
                session.tools().all().stream()
                        .map(tool -> new Checked(tool, "session " + session.id(), scope))
                        .toList(),
                List.of());
    }

    /** Checks the tools of annotated classes. */
    public static CheckReport check(Class<?>... types) {
        ClassFiles classes = new ClassFiles();
        for (Class<?> type : types) {
            classes.read(type);
        }
        return report(classes.tools(), classes.findings());
    }

    /**
     * Checks a JSON list of tools, in the shape of MCP, OpenAI or Anthropic.
     *
     * @param source the name in the report, such as the name of the file
     * @throws dev.idem.JsonException if it is not strict JSON
     * @throws IllegalArgumentException if it is no list of tools
     */
    public static CheckReport checkJson(String json, String source) {
        return report(ToolLists.parse(json, source), List.of());
    }

    /**
     * Checks a jar, a folder of classes or a JSON file.
     *
     * @throws IOException if it can't be read
     * @throws IllegalArgumentException if it is none of these
     */
    public static CheckReport check(Path path) throws IOException {
        return check(path, List.of());
    }

    /**
     * Checks a jar, a folder of classes or a JSON file.
     *
     * @param classpath jars and folders with the classes that it needs; their tools are not checked. Annotations of a
     *     framework are seen only if the framework is among them
     * @throws IOException if it can't be read
     * @throws IllegalArgumentException if it is none of these
     */
    public static CheckReport check(Path path, List<Path> classpath) throws IOException {
        String name = path.toString();
        if (name.endsWith(".json")) {
            return checkJson(Files.readString(path, StandardCharsets.UTF_8), name);
        } else if (!name.endsWith(".jar") && !Files.isDirectory(path)) {
            throw new IllegalArgumentException(name + " is neither a jar, a folder of classes nor a .json file");
        }
        ClassFiles classes = new ClassFiles();
        classes.read(path, classpath);
        return report(classes.tools(), classes.findings());
    }

    private static CheckReport report(List<Checked> tools, List<Finding> others) {
        List<Finding> findings = new ArrayList<>(others);
        tools.forEach(tool -> findings.addAll(Checks.of(tool)));
        return new CheckReport(tools.size(), findings);
    }
}
