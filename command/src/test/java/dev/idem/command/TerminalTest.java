package dev.idem.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TerminalTest {
    /** {@code stty cols 130} leaves the rows of a new terminal at 0, and its width was not believed. */
    @Test
    void aWidthIsBelievedWhereTheHeightIsNotKnown() {
        assertThat(Terminal.Size.of("0 130")).isEqualTo(new Terminal.Size(24, 130));
        assertThat(Terminal.Size.of("50 0")).isEqualTo(new Terminal.Size(50, 80));
        assertThat(Terminal.Size.of("")).isEqualTo(Terminal.Size.USUAL);
    }
}
