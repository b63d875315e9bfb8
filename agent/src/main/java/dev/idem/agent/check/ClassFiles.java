package dev.idem.agent.check;

import dev.idem.agent.tool.Once;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.Toolbox;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Finds the annotated tools in a jar or in a folder of classes. It does not run their code. */
final class ClassFiles {
    private final List<Checked> tools = new ArrayList<>();
    private final List<Finding> findings = new ArrayList<>();

    List<Checked> tools() {
        return tools;
    }

    /** Findings about classes, beside those about tools. */
    List<Finding> findings() {
        return findings;
    }

    void read(Path jarOrFolder, List<Path> classpath) throws IOException {
        List<URL> urls = new ArrayList<>(List.of(jarOrFolder.toUri().toURL()));
        for (Path beside : classpath) {
            urls.add(beside.toUri().toURL());
        }
        try (URLClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]), Once.class.getClassLoader())) {
            for (String name : classNames(jarOrFolder)) {
                try {
                    read(Class.forName(name, false, loader));
                } catch (ClassNotFoundException | LinkageError | TypeNotPresentException | IllegalArgumentException e) {
                    findings.add(new Finding(
                            Rule.UNREADABLE.id(),
                            Rule.UNREADABLE.severity(),
                            name,
                            name,
                            "it could not be looked at: " + e,
                            "put what it needs on the class path, or correct it"));
                }
            }
        }
    }

    /** Reads the tools of a class: {@link Once} methods, and tool methods of frameworks without it. */
    void read(Class<?> type) {
        selfCalls(type);
        for (Tool tool : Toolbox.declaredBy(type).all()) {
            tools.add(new Checked(tool, type.getName(), null));
        }
        for (Method method : type.getDeclaredMethods()) {
            if (!method.isAnnotationPresent(Once.class)
                    && Arrays.stream(method.getAnnotations()).anyMatch(ClassFiles::isFrameworkTool)) {
                tools.add(new Checked(Tool.named(method.getName()).build(), type.getName(), null));
            }
        }
    }

    private void selfCalls(Class<?> type) {
        try {
            for (Method method : SelfCalls.in(type)) {
                findings.add(new Finding(
                        Rule.SELF_CALL.id(),
                        Rule.SELF_CALL.severity(),
                        method.getName(),
                        type.getName(),
                        "its own class calls it, and such a call is not guarded, unless it is made on the bean that"
                                + " Spring has put into the class",
                        "move the method to a class of its own, and call it through the session or the bean"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isFrameworkTool(Annotation annotation) {
        String name = annotation.annotationType().getName();
        return name.equals("dev.langchain4j.agent.tool.Tool")
                || name.equals("org.springframework.ai.tool.annotation.Tool");
    }

    private static List<String> classNames(Path jarOrFolder) throws IOException {
        if (Files.isDirectory(jarOrFolder)) {
            return classNamesUnder(jarOrFolder);
        }
        try (FileSystem jar = FileSystems.newFileSystem(jarOrFolder, Map.of())) {
            return classNamesUnder(jar.getPath("/"));
        }
    }

    private static List<String> classNamesUnder(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.map(file -> root.relativize(file).toString().replace('\\', '/'))
                    .filter(file -> file.endsWith(".class")
                            && !file.endsWith("module-info.class")
                            && !file.endsWith("package-info.class")
                            && !file.startsWith("META-INF/"))
                    .map(file ->
                            file.substring(0, file.length() - ".class".length()).replace('/', '.'))
                    .sorted()
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
