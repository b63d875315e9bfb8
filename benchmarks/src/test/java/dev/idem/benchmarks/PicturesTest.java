package dev.idem.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.idem.benchmarks.BarChart.Bar;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

final class PicturesTest {
    @TempDir
    Path folder;

    @Test
    void aBarIsAsLongAsItsValueOnTheScale() throws Exception {
        BarChart chart = new BarChart(
                "How long?",
                "µs",
                List.of(new Bar("a", 100, "100 µs", "idem"), new Bar("", 25, "25 µs, by <hand> & eye", "floor")),
                List.of("a run"));

        Document svg = parse(chart.svg());

        List<Element> bars = elements(svg, "rect").stream()
                .filter(rect -> rect.getAttribute("x").equals("210"))
                .toList();
        double first = number(bars.get(0), "width");
        assertThat(number(bars.get(1), "width")).isCloseTo(first / 4, within(0.1));
        assertThat(x(svg, "100")).as("the line of 100 on the scale").isCloseTo(210 + first, within(0.1));
        assertThat(x(svg, "0")).isEqualTo(210);
        assertThat(texts(svg)).contains("How long?", "a", "100 µs", "25 µs, by <hand> & eye", "µs", "a run");
    }

    @Test
    void everythingIsInsideOfThePaper() throws Exception {
        Results results = Results.in(Path.of("results"));
        for (Pictures.Question question : Pictures.QUESTIONS) {
            Document svg = parse(Pictures.chart(question, results).svg());
            double width = number(svg.getDocumentElement(), "width");
            double height = number(svg.getDocumentElement(), "height");
            for (Element text : elements(svg, "text")) {
                // About seven pixels a letter.
                double right = text.getAttribute("text-anchor").equals("start")
                        ? number(text, "x") + 7 * text.getTextContent().length()
                        : number(text, "x");
                assertThat(right).as(text.getTextContent()).isLessThan(width);
                assertThat(number(text, "y")).as(text.getTextContent()).isLessThan(height);
            }
        }
    }

    /** The page would show bars of a run whose figures were replaced since. */
    @Test
    void thePicturesOfThePageShowTheKeptResults() throws Exception {
        Results results = Results.in(Path.of("results"));
        String page = Files.readString(Path.of("../docs/performance.md"));
        for (Pictures.Question question : Pictures.QUESTIONS) {
            assertThat(Path.of("../docs/pictures", question.name() + ".svg"))
                    .hasContent(Pictures.chart(question, results).svg());
            assertThat(page).contains("(pictures/" + question.name() + ".svg)");
        }
    }

    @Test
    void aPrintedReportIsReadAgain() throws Exception {
        Report report = new Report();
        report.add(List.of(
                Row.withoutPromise("JSONL, replay, 1 thread", "12 µs", "", ""),
                Row.withoutPromise("Redis, replay | GET", "1.2 ms", "37.00 µs", "1.37 × (1.28–1.49)"),
                Row.withoutPromise("rows of a commit", "", "9,000/s", "")));
        Files.writeString(folder.resolve("run.txt"), "date:    2026-11-17\ncommit:  abc\n\n" + report.text());

        Results results = Results.in(folder);

        Map<String, String> run = Map.of("date", "2026-11-17", "commit", "abc");
        assertThat(results.get("JSONL, replay, 1 thread")).isEqualTo(new Results.Figure(run, "12 µs", ""));
        assertThat(results.get("Redis, replay | GET")).isEqualTo(new Results.Figure(run, "1.2 ms", "37.00 µs"));
        assertThat(results.get("rows of a commit")).isEqualTo(new Results.Figure(run, "", "9,000/s"));
        var question =
                new Pictures.Question("q", "?", "µs", List.of(new Pictures.Line("Redis", "Redis, replay | GET")));
        assertThat(Pictures.chart(question, results).bars())
                .containsExactly(new Bar("Redis", 1200, "1.2 ms", "idem"), new Bar("", 37, "37.00 µs, GET", "floor"));
    }

    @Test
    void aLineThatNoRunHasIsNamed() throws Exception {
        Results none = Results.in(folder);

        assertThatThrownBy(() -> Pictures.draw(none, folder)).hasMessageContaining("memory, first call | a bare map");
    }

    @Test
    void aLineOfTwoRunsIsRefused() throws Exception {
        Report report = new Report();
        report.add(List.of(Row.withoutPromise("JSONL, replay, 1 thread", "12 µs", "", "")));
        Files.writeString(folder.resolve("one.txt"), report.text());
        Files.writeString(folder.resolve("two.txt"), report.text());

        assertThatThrownBy(() -> Results.in(folder)).hasMessageContaining("two runs have the line 'JSONL, replay");
    }

    private static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<Element> elements(Document svg, String name) {
        var nodes = svg.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            elements.add((Element) nodes.item(i));
        }
        return elements;
    }

    private static List<String> texts(Document svg) {
        return elements(svg, "text").stream().map(Element::getTextContent).toList();
    }

    private static double x(Document svg, String text) {
        return elements(svg, "text").stream()
                .filter(element -> element.getTextContent().equals(text))
                .mapToDouble(element -> number(element, "x"))
                .findFirst()
                .orElseThrow();
    }

    private static double number(Element element, String attribute) {
        return Double.parseDouble(element.getAttribute(attribute));
    }
}
