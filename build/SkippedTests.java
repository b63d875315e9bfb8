import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;

/**
 * Ends the build with one line for each skipped test and its reason, read from the test reports of all modules.
 *
 * <p>Reports older than the start of the build are left out: they belong to modules that did not run this time, or to
 * tests that are gone.
 */
final class SkippedTests {
    private static final String ASSUMPTION = "Assumption failed: ";

    private SkippedTests() {}

    /** Arguments: the root of the repository, and when the build started. */
    public static void main(String[] args) throws Exception {
        Path root = Path.of(args[0]);
        Instant started = Instant.parse(args[1]);
        List<String> skipped = new ArrayList<>();
        int run = 0;
        for (Path report : reports(root, started)) {
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
        System.out.println((run - skipped.size()) + " tests passed, " + skipped.size() + " skipped");
        skipped.forEach(System.out::println);
    }

    private static List<Path> reports(Path root, Instant started) throws IOException {
        try (Stream<Path> files = Files.find(
                root,
                8,
                (path, attributes) -> isReport(path)
                        && attributes.lastModifiedTime().toInstant().compareTo(started) >= 0)) {
            return files.sorted(Comparator.naturalOrder()).toList();
        }
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
