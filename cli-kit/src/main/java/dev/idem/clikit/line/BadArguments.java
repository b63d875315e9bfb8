package dev.idem.clikit.line;

import dev.idem.command.Answer;
import dev.idem.command.ExitCode;
import org.jspecify.annotations.Nullable;

/** The arguments are wrong, and nothing has happened. */
public final class BadArguments extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Answer answer;

    public BadArguments(String message) {
        this(answer("USAGE", message).fix("correct the arguments"), null);
    }

    public BadArguments(Answer answer, @Nullable Throwable cause) {
        super(answer.lines().get(0), cause);
        this.answer = answer;
    }

    /** The answer to a line that was refused while its arguments were checked. */
    public static Answer answer(String code, String message) {
        return Answer.no(ExitCode.ARG_ERROR, code, message).error("phase", "validation");
    }

    public Answer answer() {
        return answer;
    }
}
