package dev.idem.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.lang.module.FindException;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;

/** A block with a module-info.java: a program in that module stores and reads a record of the package that it opens. */
final class ModuleBlock {
    private static final Pattern MODULE = Pattern.compile("(?m)^module ([\\w.]+)");
    private static final Pattern OPENED = Pattern.compile("(?m)^ *opens ([\\w.]+)");

    private static final String PROGRAM = """
            package %s;

            import dev.idem.Idem;

            final class Main {
                record Receipt(String id, long cents) {}

                public static void main(String[] arguments) {
                    try (Idem idem = Idem.open("memory:")) {
                        var charge = idem.operation("charge").key("order-7").returning(Receipt.class);
                        charge.run(call -> new Receipt("ch_1", 4200));
                        System.out.print(charge.run(call -> new Receipt("ch_2", 4200)).id());
                    }
                }
            }
            """;

    private ModuleBlock() {}

    static void check(CodeBlock block, Path folder) throws Exception {
        String declaration = String.join("\n", block.code());
        String opened = first(OPENED, declaration);
        Path sources = Files.createDirectories(folder.resolve("module"));
        Path info = Files.writeString(sources.resolve("module-info.java"), declaration);
        Path main = Files.writeString(sources.resolve("Main.java"), PROGRAM.formatted(opened));
        String classes = folder.resolve("classes").toString();
        var said = new ByteArrayOutputStream();
        int compiled = ToolProvider.getSystemJavaCompiler()
                .run(null, said, said, "-p", modules(), "-d", classes, info.toString(), main.toString());
        assertThat(compiled).as("%s: %s", block, said).isZero();

        String module = first(MODULE, declaration);
        // Without the limit, every ledger on the class path would be bound, each with its driver.
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-p",
                        classes + File.pathSeparator + modules(),
                        "--limit-modules",
                        module,
                        "-m",
                        module + "/" + opened + ".Main")
                .redirectErrorStream(true)
                .start();
        String output = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(output).as("%s", block).endsWith("ch_1");
    }

    private static String first(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult found) -> found.group(1))
                .findFirst()
                .orElseThrow();
    }

    /** The modules on the class path of this test. */
    private static String modules() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> isModule(Path.of(entry)))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static boolean isModule(Path entry) {
        try {
            return ModuleFinder.of(entry).findAll().stream()
                    .anyMatch(found -> !found.descriptor().isAutomatic());
        } catch (FindException e) {
            return false;
        }
    }
}
