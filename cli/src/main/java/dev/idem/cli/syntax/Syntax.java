package dev.idem.cli.syntax;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What may stand on the line of one command.
 *
 * @param name the word behind {@code idem}
 * @param summary what it does, in one sentence
 * @param operand what the help calls the argument it needs; null when it takes none
 * @param runs whether a command to run stands behind {@code --}
 * @param notes what the help says below the options
 */
public record Syntax(String name, String summary, @Nullable String operand, boolean runs, List<Option> options, String notes) {

    public String usage() {
        return "idem " + name + (operand == null ? "" : " " + operand)
                + (runs ? " --key K [options] -- COMMAND [ARGUMENT...]" : " [options]");
    }

    @Nullable
    public Option find(String spelling) {
        for (Option option : options) {
            if (option.isCalled(spelling)) {
                return option;
            }
        }
        return null;
    }
}
