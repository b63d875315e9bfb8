package dev.idem.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The tests of this repository, as far as their text tells. It is formatted: a member's place tells what it is in. */
final class TestSources {
    private static final Pattern TYPE =
            Pattern.compile("^( *)(?:public |protected |private |static |final )*(abstract )?(?:final )?class (\\w+)"
                    + "(?:<[^{]*?>)?(?: extends ([\\w.]+))?.*");
    private static final Pattern METHOD = Pattern.compile("^( +)(?:[\\w.<>?\\[\\],]+ )+(\\w+)\\(.*");
    private static final Pattern IS_A_TEST =
            Pattern.compile("@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate)\\b");
    private static final Pattern TAG = Pattern.compile("@Tag\\((?:\"([\\w-]+)\"|(?:\\w+\\.)*([A-Z]+))\\)");
    private static final Pattern LEFT_OUT = Pattern.compile("@Disabled\\b|@EnabledIf|@DisabledIf");

    private final List<Source> sources;

    private TestSources(List<Source> sources) {
        this.sources = sources;
    }

    /**
     * A file of a class.
     *
     * @param path from the root
     * @param top the line of the class; -1 if it is none
     */
    private record Source(String path, String name, List<String> lines, int top) {
        static Source of(Path file) throws IOException {
            String name = file.getFileName().toString().replace(".java", "");
            List<String> lines = Files.readAllLines(file);
            int top = 0;
            while (top < lines.size() && !isClass(lines.get(top), name)) {
                top++;
            }
            return new Source(Pages.name(file), name, lines, top < lines.size() ? top : -1);
        }

        private static boolean isClass(String line, String name) {
            Matcher type = TYPE.matcher(line);
            return line.contains("class " + name)
                    && type.matches()
                    && type.group(3).equals(name);
        }

        boolean isAbstract() {
            Matcher type = TYPE.matcher(lines.get(top()));
            return type.matches() && type.group(2) != null;
        }

        Optional<String> parent() {
            return parent(lines.get(top()));
        }

        static Optional<String> parent(String line) {
            Matcher type = TYPE.matcher(line);
            return type.matches() ? Optional.ofNullable(type.group(4)) : Optional.empty();
        }

        /** The lines of the tests with a name. */
        List<Integer> tests(String method) {
            List<Integer> tests = new ArrayList<>();
            for (int i = 0; i < lines.size(); i++) {
                Matcher declared = METHOD.matcher(lines.get(i));
                if (lines.get(i).contains(" " + method + "(")
                        && declared.matches()
                        && declared.group(2).equals(method)
                        && IS_A_TEST.matcher(above(i)).find()) {
                    tests.add(i);
                }
            }
            return tests;
        }

        /** What stands above a line, up to an empty one. */
        String above(int line) {
            int from = line;
            while (from > 0 && !lines.get(from - 1).isBlank()) {
                from--;
            }
            return String.join("\n", lines.subList(from, line));
        }

        /** What stands above a line and above the classes that it is in. */
        String around(int line) {
            StringBuilder text = new StringBuilder(above(line));
            int depth = depth(line);
            for (int i = line - 1; i >= 0 && depth > 0; i--) {
                if (depth(i) < depth && TYPE.matcher(lines.get(i)).matches()) {
                    depth = depth(i);
                    text.append('\n').append(above(i));
                }
            }
            return text.toString();
        }

        private int depth(int line) {
            String text = lines.get(line);
            return text.length() - text.stripLeading().length();
        }
    }

    static TestSources read() {
        try {
            List<Source> sources = new ArrayList<>();
            for (Path file : Pages.sources(Pages.root())) {
                String path = Pages.name(file);
                boolean isKit = path.startsWith("testkit/") || path.startsWith("clients/conformance/");
                if (isKit || path.contains("src/test/")) {
                    sources.add(Source.of(file));
                }
            }
            return new TestSources(sources);
        } catch (IOException e) {
            throw new UncheckedIOException("the tests can't be read", e);
        }
    }

    /** All sources below a folder. */
    String textOf(String folder) {
        return sources.stream()
                .filter(each -> each.path().startsWith(folder + "/"))
                .flatMap(each -> each.lines().stream())
                .collect(Collectors.joining("\n"));
    }

    /** Whether a folder has the test: its own, or one of a contract that a class of the folder runs. */
    boolean has(String name, String method, String folder) {
        return sources.stream()
                .filter(each -> each.name().equals(name) && !each.tests(method).isEmpty())
                .anyMatch(each -> each.path().startsWith(folder)
                        || runners(each).stream().anyMatch(run -> run.path().startsWith(folder)));
    }

    /** Why a test is not in a short build; empty if it is. Of tests with one name, all have to be. */
    List<String> whyNotInAShortBuild(String name, String method) {
        String test = name + "#" + method;
        List<String> reasons = new ArrayList<>();
        boolean exists = false;
        for (Source source : sources) {
            if (source.name().equals(name) && source.top() >= 0) {
                for (int line : source.tests(method)) {
                    exists = true;
                    reasons.addAll(why(source, line, test));
                }
            }
        }
        if (!exists) {
            reasons.add(test + " does not exist");
        }
        return reasons;
    }

    private List<String> why(Source source, int line, String test) {
        String around = source.around(line) + inherited(source);
        if (!source.isAbstract()) {
            return leftOut(around, source).map(why -> List.of(test + why)).orElse(List.of());
        }
        Set<String> reasons = new TreeSet<>();
        for (Source runner : runners(source)) {
            // The tags of a contract, of the class that gathers contracts, and of the class that runs them.
            String all = around + runner.above(runner.top()) + inherited(runner) + gathered(source);
            Optional<String> why = leftOut(all, runner);
            if (why.isEmpty()) {
                return List.of();
            }
            reasons.add(test + why.get() + ", run by " + runner.name());
        }
        return reasons.isEmpty() ? List.of(test + " is run by no class") : List.copyOf(reasons);
    }

    /** Why what has these annotations is left out of a short build of the module. */
    private static Optional<String> leftOut(String annotations, Source source) {
        if (!source.name().matches(".*(Test|IT)")) {
            return Optional.of(" is in a class that no build runs: " + source.name());
        }
        if (LEFT_OUT.matcher(annotations).find()) {
            return Optional.of(" is disabled");
        }
        List<String> tags = TAG.matcher(annotations)
                .results()
                .map(tag -> tag.group(1) != null ? tag.group(1) : tag.group(2).toLowerCase(Locale.ROOT))
                .toList();
        if (tags.contains("proof")) {
            return Optional.of(" has the tag proof");
        }
        return tags.contains("rules") && leavesOutRules(source)
                ? Optional.of(" has the tag rules, which its module leaves out")
                : Optional.empty();
    }

    private static boolean leavesOutRules(Source source) {
        Path root = Pages.root();
        Path folder = root.resolve(source.path()).getParent();
        while (!Files.exists(folder.resolve("pom.xml"))) {
            folder = folder.getParent();
        }
        return !folder.equals(root)
                && Pages.text(folder.resolve("pom.xml")).contains("<idem.left-out>${idem.left-out-of-stores}<");
    }

    /** What stands above the classes that a class extends. */
    private String inherited(Source source) {
        StringBuilder text = new StringBuilder();
        Optional<Source> up = source.parent().flatMap(this::named);
        while (up.isPresent()) {
            text.append('\n').append(up.get().above(up.get().top()));
            up = up.get().parent().flatMap(this::named);
        }
        return text.toString();
    }

    /** What stands above the nested classes that run a contract. */
    private String gathered(Source contract) {
        StringBuilder text = new StringBuilder();
        for (Source source : sources) {
            for (int line : subclasses(source, contract.name())) {
                if (source.isAbstract()) {
                    text.append('\n').append(source.around(line));
                }
            }
        }
        return text.toString();
    }

    /** The concrete classes that run the tests of an abstract one. */
    private List<Source> runners(Source contract) {
        List<Source> runners = new ArrayList<>();
        for (Source source : sources) {
            if (source.top() < 0 || source.name().equals(contract.name())) {
                continue;
            }
            List<Integer> subclasses = subclasses(source, contract.name());
            if (source.isAbstract() && !subclasses.isEmpty()) {
                runners.addAll(runners(source));
            } else if (subclasses.contains(source.top())) {
                runners.add(source);
            }
        }
        return runners;
    }

    private static List<Integer> subclasses(Source source, String parent) {
        List<Integer> lines = new ArrayList<>();
        for (int i = 0; i < source.lines().size(); i++) {
            String line = source.lines().get(i);
            if (line.contains(" extends " + parent)
                    && Source.parent(line).filter(parent::equals).isPresent()) {
                lines.add(i);
            }
        }
        return lines;
    }

    private Optional<Source> named(String name) {
        List<Source> all = sources.stream()
                .filter(each -> each.name().equals(name) && each.top() >= 0)
                .toList();
        return all.size() == 1 ? Optional.of(all.get(0)) : Optional.empty();
    }
}
