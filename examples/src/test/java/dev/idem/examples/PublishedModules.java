package dev.idem.examples;

import dev.idem.Idem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The names of the published modules, as their poms and module descriptors give them, and what core exports to them. */
final class PublishedModules {
    private static final Pattern DECLARED = Pattern.compile("(?m)^module ([\\w.]+)");
    private static final Pattern AUTOMATIC = Pattern.compile("<Automatic-Module-Name>([\\w.]+)<");
    private static final Pattern UNPUBLISHED =
            Pattern.compile("<maven.deploy.skip>true<|<packaging>pom<|<artifactId>idem-bom<");

    private PublishedModules() {}

    static Set<String> names() {
        Set<String> names = new TreeSet<>(named().values());
        // The umbrella has no code of its own.
        names.remove("dev.idem");
        return names;
    }

    /** The folders of published modules that have code and no module name. */
    static List<String> unnamed() {
        return named().entrySet().stream()
                .filter(each -> each.getValue().isEmpty())
                .map(each -> each.getKey().toString())
                .toList();
    }

    /** The module of a package: its name is that of its first package. Null for modules that are not published. */
    static @Nullable String of(String packageName, Set<String> modules) {
        if (modules.contains("dev.idem.core") && isCore(packageName)) {
            return "dev.idem.core";
        }
        String name = packageName;
        while (!modules.contains(name)) {
            int dot = name.lastIndexOf('.');
            if (dot < 0) {
                return null;
            }
            name = name.substring(0, dot);
        }
        return name;
    }

    /** For every package that core exports, the modules it is exported to, or {@code *}. */
    static Map<String, Set<String>> exportsOfCore() {
        try {
            Path core = Path.of(Idem.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            ModuleDescriptor descriptor =
                    ModuleFinder.of(core).find("dev.idem.core").orElseThrow().descriptor();
            return descriptor.exports().stream()
                    .collect(Collectors.toMap(
                            ModuleDescriptor.Exports::source,
                            each -> each.isQualified() ? each.targets() : Set.of("*")));
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isCore(String packageName) {
        return packageName.equals("dev.idem") || packageName.matches("dev\\.idem\\.(spi|seal|internal)(\\..*)?");
    }

    private static Map<Path, String> named() {
        Map<Path, String> names = new TreeMap<>();
        Path root = Pages.root();
        try (Stream<Path> files = Files.walk(root, 3)) {
            for (Path pom : files.filter(
                            file -> file.endsWith("pom.xml") && !file.toString().contains("/target/"))
                    .toList()) {
                String text = Files.readString(pom);
                if (!UNPUBLISHED.matcher(text).find()) {
                    names.put(root.relativize(pom.getParent()), name(pom.getParent(), text));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return names;
    }

    private static String name(Path folder, String pom) throws IOException {
        Path declared = folder.resolve("src/main/java/module-info.java");
        Matcher name = Files.exists(declared) ? DECLARED.matcher(Files.readString(declared)) : AUTOMATIC.matcher(pom);
        return name.find() ? name.group(1) : "";
    }
}
