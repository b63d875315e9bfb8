package dev.idem.torture.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.torture.check.Line;
import org.junit.jupiter.api.Test;

/** The world tells the truth to those who probe, and keeps its word. */
class EffectsTest {
    private static final String K = "s/probe/k1";

    private final Effects effects = new Effects();

    @Test
    void whatHasHappenedIsFound() {
        effects.of(new Line.Effect("a", K, 1, "token"));
        assertThat(probe(2).answer()).isEqualTo("token");
        assertThat(probe(2).line()).isEqualTo(new Line.Probed("b", K, 2, true));
    }

    @Test
    void whatWasSaidNotToHaveHappenedNoLongerCan() {
        assertThat(probe(2).answer()).isEqualTo(WorldClient.NOTHING);
        Effects.Reply late = effects.of(new Line.Effect("a", K, 1, "token"));
        assertThat(late.answer()).isEqualTo(WorldClient.REFUSED);
        assertThat(late.line()).isEqualTo(new Line.Refused("a", K, 1));
        assertThat(effects.of(new Line.Effect("b", K, 3, "token")).answer()).isEqualTo(WorldClient.OK);
    }

    private Effects.Reply probe(long fence) {
        return effects.of(new Line.Probed("b", K, fence, false));
    }
}
