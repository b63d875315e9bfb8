package dev.idem.torture.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Histories as they are written and read. */
class HistoryTextTest extends CheckedHistory {
    @Test
    void linesAndEntriesAreReadAsTheyWereWritten() {
        List<Line> lines = List.of(
                new Line.Asked("a", K, "i", EnumSet.of(Promise.SAFE, Promise.STAGED)),
                new Line.Asked("a", K, "i", EnumSet.noneOf(Promise.class)),
                new Line.Began("a", K, 7, 2),
                new Line.Effect("a", K, 7, token("a", 7)),
                new Line.Refused("a", K, 7),
                new Line.Threw("a", K, 7, true),
                new Line.Probed("a", K, 8, false),
                new Line.Forgetting("a", K, 8),
                new Line.Forgot("a", K, 8, false, true),
                new Line.Answered("a", K, Answer.KEPT_FAILURE, 7, "why"));
        assertThat(lines).allSatisfy(line -> assertThat(Line.parse(line.text())).isEqualTo(line));
        Kept kept = new Kept(K, Kept.State.IN_DOUBT, 3, "");
        assertThat(Kept.parse(kept.text())).isEqualTo(kept);
    }

    @Test
    void aTextThatWasChangedHasATokenOfItsOwn() {
        Token token = new Token(K, "i", 3, "a", 500);
        assertThat(Token.nameIn(token.value())).isEqualTo(token.name());
        assertThat(Token.nameIn(token.value() + "!")).startsWith("corrupt:");
        assertThat(Token.nameIn(token.value().substring(0, 300))).startsWith("corrupt:");
        assertThat(Token.nameIn("anything")).startsWith("corrupt:");
    }
}
