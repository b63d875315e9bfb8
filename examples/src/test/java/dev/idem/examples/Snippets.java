package dev.idem.examples;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** The blocks of Java of one page, compiled together: whole types may be used by every other block of the page. */
final class Snippets {
    private static final String IMPORTS = List.of(
                    "dev.idem",
                    "dev.idem.agent.approval",
                    "dev.idem.agent.batch",
                    "dev.idem.agent.cache",
                    "dev.idem.agent.check",
                    "dev.idem.agent.coalesce",
                    "dev.idem.agent.ensure",
                    "dev.idem.agent.guard",
                    "dev.idem.agent.inbox",
                    "dev.idem.agent.provider",
                    "dev.idem.agent.retry",
                    "dev.idem.agent.run",
                    "dev.idem.agent.session",
                    "dev.idem.agent.shadow",
                    "dev.idem.agent.tool",
                    "dev.idem.http",
                    "dev.idem.http.client",
                    "dev.idem.http.webhook",
                    "dev.idem.spi",
                    "dev.idem.seal",
                    "java.net",
                    "java.net.http",
                    "java.sql",
                    "java.time",
                    "java.util",
                    "java.util.concurrent")
            .stream()
            .map(name -> "import " + name + ".*;")
            .collect(Collectors.joining(" "));

    private static final Pattern TYPE =
            Pattern.compile("(?m)^(?:public |final |abstract )*" + "(?:class|record|interface|enum) (\\w+)");

    /** Ledgers of the docs live in a folder that is removed. */
    private static final Pattern FILE = Pattern.compile("\"(sqlite|jsonl):(?=[^/\"])");

    private final Map<CodeBlock, String> names = new HashMap<>();
    private final DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
    private final Compiled classes = new Compiled();

    private Snippets() {}

    static Snippets compile(List<CodeBlock> blocks, Path folder) {
        Snippets snippets = new Snippets();
        List<JavaFileObject> sources = new ArrayList<>();
        for (CodeBlock block : blocks) {
            String name = nameOf(block);
            snippets.names.put(block, name);
            sources.add(new Source(
                    name,
                    FILE.matcher(sourceOf(block, name)).replaceAll("\"$1:" + Matcher.quoteReplacement(folder + "/"))));
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> options =
                List.of("--release", "17", "-parameters", "-proc:none", "-cp", System.getProperty("java.class.path"));
        var output = new Output(compiler.getStandardFileManager(snippets.diagnostics, null, null), snippets.classes);
        compiler.getTask(null, output, snippets.diagnostics, options, null, sources)
                .call();
        return snippets;
    }

    /** The errors of the compiler for a block, with the line of the page. */
    List<String> errors(CodeBlock block) {
        String file = "/" + names.get(block) + ".java";
        return diagnostics.getDiagnostics().stream()
                .filter(found -> found.getKind() == Diagnostic.Kind.ERROR
                        && found.getSource() != null
                        && found.getSource().toUri().getPath().equals(file))
                .map(found ->
                        block.page() + ":" + (block.line() + found.getLineNumber() - 2) + ": " + found.getMessage(null))
                .toList();
    }

    /** Whether every block of the page compiled: the compiler writes all classes or none. */
    boolean compiled() {
        return diagnostics.getDiagnostics().stream().noneMatch(found -> found.getKind() == Diagnostic.Kind.ERROR);
    }

    /** The class a block has become. */
    Class<?> type(CodeBlock block) throws ClassNotFoundException {
        return classes.loadClass(names.get(block));
    }

    private static String nameOf(CodeBlock block) {
        if (!block.holdsTypes()) {
            return block.page().replaceAll("\\W", "_") + "_" + block.line();
        }
        Matcher type = TYPE.matcher(String.join("\n", block.code()));
        if (!type.find()) {
            throw new IllegalStateException(block + " is said to hold a type, and holds none");
        }
        return type.group(1);
    }

    /**
     * One line before the code, so that line numbers of the page can be told from those of the source. Types that begin
     * with an import have to name all their imports: a reader can copy them as they are.
     */
    private static String sourceOf(CodeBlock block, String name) {
        String code = String.join("\n", block.code());
        if (block.holdsTypes()) {
            return (code.startsWith("import ") ? "" : IMPORTS) + "\n" + code;
        }
        return IMPORTS + " public final class " + name + " extends " + DocsPrelude.class.getName()
                + " { @Override protected void run() throws Exception {\n" + code + "\n}}";
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///" + name + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class Output extends ForwardingJavaFileManager<JavaFileManager> {
        private final Compiled classes;

        Output(JavaFileManager files, Compiled classes) {
            super(files);
            this.classes = classes;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("bytes:///" + name), kind) {
                @Override
                public OutputStream openOutputStream() {
                    var bytes = new ByteArrayOutputStream();
                    classes.bytes.put(name, bytes);
                    return bytes;
                }
            };
        }
    }

    /** Loads what was compiled. */
    private static final class Compiled extends ClassLoader {
        private final Map<String, ByteArrayOutputStream> bytes = new HashMap<>();

        Compiled() {
            super(Snippets.class.getClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            ByteArrayOutputStream found = bytes.get(name);
            if (found == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, found.toByteArray(), 0, found.size());
        }
    }
}
