package dev.idem.clikit;

import org.jspecify.annotations.Nullable;

/** The arguments are wrong, and nothing has happened. */
final class BadArguments extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Problem problem;

    BadArguments(String message) {
        this(Problem.of("USAGE", message).fixRequired("correct the arguments"), null);
    }

    BadArguments(Problem problem, @Nullable Throwable cause) {
        super(problem.text("message"), cause);
        this.problem = problem.validation();
    }

    Problem problem() {
        return problem;
    }
}
