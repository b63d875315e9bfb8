package dev.idem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.spi.Effect;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A staged action that breaks its promise is told so while nothing is lost yet. */
class StagedTest {
    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();

    @AfterEach
    void close() {
        idem.close();
    }

    private Operation<String> staged(String key) {
        return idem.operation("send").key(key).policy(Policy.write().staged()).returning(String.class);
    }

    private static List<Warning.Code> warnings(Outcome<String> out) {
        return ((Outcome.Done<String>) out)
                .warnings().stream().map(Warning::code).toList();
    }

    @Test
    void anActionThatEndsWithoutAMarkIsWarned() {
        assertThat(warnings(staged("k").attempt(call -> "sent"))).containsExactly(Warning.Code.UNMARKED);
    }

    @Test
    void anActionThatThrowsIsNotWarnedOfItsMark() {
        assertThat(staged("k").attempt(call -> {
                    throw new IllegalStateException("no mail");
                }))
                .isInstanceOf(Outcome.Failed.class);
    }

    @Test
    void whoeverMarksOrChangesNothingIsNot() {
        assertThat(warnings(staged("marked").attempt(call -> {
                    call.mark("sending");
                    return "sent";
                })))
                .isEmpty();
        assertThat(warnings(staged("prepared").prepare(() -> "mail").attempt((call, mail) -> mail)))
                .isEmpty();
        assertThat(warnings(staged("nothing").attempt(call -> {
                    call.effect(Effect.NOOP);
                    return "there is nothing to send";
                })))
                .isEmpty();
    }
}
