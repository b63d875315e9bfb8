import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;

/**
 * Ends the build with what it cost, and with one line for each skipped test and its reason.
 *
 * <p>Both are read from files of all modules. Files older than the start of the build are left out: they belong to
 * modules that did not run this time, or to tests that are gone.
 */
final class BuildReport {
    private static final String ASSUMPTION = "Assumption failed: ";

    private BuildReport() {}

    /** Arguments: the root of the repository, and when the build started. */
    public static void main(String[] args) throws Exception {
        Path root = Path.of(args[0]);
        Instant started = Instant.parse(args[1]);
        List<String> skipped = new ArrayList<>();
        int run = 0;
        for (Path report : files(root, started, BuildReport::isReport)) {
            Element suite = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(report.toFile())
                    .getDocumentElement();
            for (Element test : children(suite, "testcase")) {
                run++;
                for (Element reason : children(test, "skipped")) {
                    skipped.add("SKIPPED " + test.getAttribute("classname") + "." + test.getAttribute("name") + ": "
                            + reason(reason));
                }
            }
        }
        printCosts(root, started);
        System.out.println((run - skipped.size()) + " tests passed, " + skipped.size() + " skipped");
        skipped.forEach(System.out::println);
    }

    /** The processor time of each module's tests, with that of the processes they started, and the dearest classes. */
    private static void printCosts(Path root, Instant started) throws IOException {
        Map<String, Long> modules = new TreeMap<>();
        List<Cost> classes = new ArrayList<>();
        for (Path file : files(root, started, BuildReport::isCost)) {
            Path module = root.relativize(file.resolveSibling("../..").normalize());
            for (String line : Files.readAllLines(file)) {
                String[] words = line.split(" ", -1);
                long spent = Long.parseLong(words[2]) + Long.parseLong(words[3]);
                if (words[0].equals("process")) {
                    modules.merge(module.toString(), spent, Long::sum);
                } else {
                    classes.add(new Cost(spent, module + " " + words[0].replaceFirst("^dev[.]idem[.]", "")));
                }
            }
        }
        long tests = modules.values().stream().mapToLong(Long::longValue).sum();
        System.out.println(
                "Elapsed: " + minutes(Duration.between(started, Instant.now()).toMillis()) + ". Processor time: "
                        + minutes(ofMaven()) + " in all, " + minutes(tests) + " for tests");
        System.out.println("Seconds of processor time for tests, by module:");
        modules.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .forEach(each -> System.out.println(seconds(each.getValue()) + "  " + each.getKey()));
        System.out.println(
                "The dearest test classes; in modules with parallel tests what ran beside a class counts, too:");
        classes.stream()
                .sorted(Comparator.comparingLong(Cost::millis).reversed())
                .limit(Integer.getInteger("idem.dearest", 10))
                .forEach(each -> System.out.println(seconds(each.millis()) + "  " + each.name()));
    }

    private record Cost(long millis, String name) {}

    /** The processor time of the process that started this one, and of all its ended children, in milliseconds. */
    private static long ofMaven() throws IOException {
        long parent = ProcessHandle.current().parent().orElseThrow().pid();
        Path stat = Path.of("/proc/" + parent + "/stat");
        if (!Files.exists(stat)) {
            return 0;
        }
        String text = Files.readString(stat);
        String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
        return 10 * Arrays.stream(fields, 11, 15).mapToLong(Long::parseLong).sum();
    }

    private static String minutes(long millis) {
        return String.format(Locale.ROOT, "%d:%02d min", millis / 60_000, millis / 1000 % 60);
    }

    private static String seconds(long millis) {
        return String.format(Locale.ROOT, "%7.1f", millis / 1000.0);
    }

    private static List<Path> files(Path root, Instant started, Predicate<Path> wanted) throws IOException {
        try (Stream<Path> files = Files.find(
                root,
                8,
                (path, attributes) -> wanted.test(path)
                        && attributes.lastModifiedTime().toInstant().compareTo(started) >= 0)) {
            return files.sorted(Comparator.naturalOrder()).toList();
        }
    }

    private static boolean isCost(Path path) {
        return path.getParent().endsWith(Path.of("target", "costs"));
    }

    private static boolean isReport(Path path) {
        String folder = path.getParent().getFileName().toString();
        String name = path.getFileName().toString();
        return (folder.equals("surefire-reports") || folder.equals("failsafe-reports"))
                && name.startsWith("TEST-")
                && name.endsWith(".xml");
    }

    private static List<Element> children(Element parent, String name) {
        List<Element> found = new ArrayList<>();
        for (var node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element && element.getTagName().equals(name)) {
                found.add(element);
            }
        }
        return found;
    }

    private static String reason(Element skipped) {
        String message = skipped.getAttribute("message");
        String first = message.isEmpty()
                ? skipped.getTextContent().strip().lines().findFirst().orElse("")
                : message;
        int assumption = first.indexOf(ASSUMPTION);
        String reason = assumption < 0 ? first : first.substring(assumption + ASSUMPTION.length());
        return reason.isEmpty() ? "no reason given" : reason;
    }
}
