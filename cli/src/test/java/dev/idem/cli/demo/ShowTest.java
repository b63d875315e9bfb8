package dev.idem.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.cli.around.OutputStyle;
import dev.idem.command.Terminal;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What is on the screen while {@code idem demo} runs. */
class ShowTest {
    private static final OutputStyle PLAIN = new OutputStyle(true, true, false);
    private static final OutputStyle COLOURED = new OutputStyle(true, true, true);
    private static final String LONG = "a word that is longer than the screen is wide, and then some more of it";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private static void play(Show show) {
        show.text("It begins.");
        show.heading(Side.WITHOUT);
        show.step(Side.WITHOUT, "charge", "booked ch_1", new Counted(1, 1, 0, 0, null));
        show.step(Side.WITHOUT, "kill -9", LONG, new Counted(1, 1, 0, 0, null));
        show.heading(Side.WITH);
        show.step(Side.WITH, "charge", "booked ch_1", new Counted(2, 2, 0, 0, "k"));
        show.end();
    }

    private String written() {
        return out.toString(StandardCharsets.UTF_8);
    }

    /** What a terminal shows in the end, without colours. */
    private List<String> screen() {
        List<String> lines = new ArrayList<>(List.of(""));
        int row = 0;
        Matcher part = Pattern.compile("\u001b\\[(\\d*)([AJm])|\n|[^\u001b\n]+").matcher(written());
        while (part.find()) {
            String kind = part.group(2);
            if (kind == null && part.group().equals("\n")) {
                row++;
                if (row == lines.size()) {
                    lines.add("");
                }
            } else if (kind == null) {
                lines.set(row, lines.get(row) + part.group());
            } else if (kind.equals("A")) {
                row -= Integer.parseInt(part.group(1));
            } else if (kind.equals("J")) {
                lines.subList(row, lines.size()).clear();
                lines.add("");
            }
        }
        return lines;
    }

    @Test
    void eachEventIsThereOnceAndTheTableOnceBelowThem() {
        play(new Show(out, COLOURED, new Terminal.Size(24, 60), true));
        assertThat(written()).contains("\u001b[31m").contains("\u001b[5A\u001b[J");
        assertThat(screen())
                .containsExactly(
                        "It begins.",
                        "",
                        Side.WITHOUT.heading.substring(0, 58) + "…",
                        "  charge        booked ch_1",
                        "  kill -9       " + LONG.substring(0, 42) + "…",
                        Side.WITH.heading.substring(0, 58) + "…",
                        "  charge        booked ch_1",
                        "",
                        "                without Idem  with Idem",
                        "charges booked  1             2",
                        "emails sent     0             0",
                        "orders created  0             0",
                        "",
                        "");
    }

    @Test
    void whoWantsNoColoursGetsNone() {
        play(new Show(out, PLAIN, Terminal.Size.USUAL, true));
        assertThat(written()).contains("\u001b[5A").doesNotContainPattern("\u001b\\[\\d*m");
    }

    @Test
    void aPipeOrAScreenThatIsTooSmallGetsWholeLinesAndOneTable() {
        for (Show show : List.of(
                new Show(out, PLAIN, Terminal.Size.USUAL, false),
                new Show(out, PLAIN, new Terminal.Size(24, 39), true),
                new Show(out, PLAIN, new Terminal.Size(8, 80), true))) {
            out.reset();
            play(show);
            assertThat(written()).doesNotContain("\u001b").contains(LONG).containsOnlyOnce("charges booked");
        }
    }

    @Test
    void sentencesAreBrokenBetweenWords() {
        new Show(out, PLAIN, new Terminal.Size(24, 20), false).text("one two three four five six seven");
        assertThat(written()).isEqualTo("one two three four\nfive six seven\n\n");
    }

    @Test
    void theEnvironmentSaysHowWideItIs() {
        assertThat(Terminal.size(Map.of("COLUMNS", "50"))).isEqualTo(new Terminal.Size(24, 50));
        assertThat(Terminal.size(Map.of("COLUMNS", "50", "LINES", "9"))).isEqualTo(new Terminal.Size(9, 50));
    }
}
