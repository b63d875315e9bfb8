package dev.idem.cli.recorded;

import dev.idem.NotExecutedException;
import dev.idem.spi.Failure;
import org.jspecify.annotations.Nullable;

/** The command ended with an exit that the caller declared as "nothing happened". */
public final class CommandFailed extends NotExecutedException implements CommandEnd {
    private static final long serialVersionUID = 1;
    private static final String BEFORE_CODE = "exit ";

    private final transient CommandResult result;

    public CommandFailed(CommandResult result) {
        super(BEFORE_CODE + result.exitCode());
        this.result = result;
    }

    @Override
    public CommandResult result() {
        return result;
    }

    /** The exit code in a stored failure, for callers that waited for it; null if there is none. */
    public static @Nullable Integer exitCode(Failure failure) {
        return failure.type().equals(CommandFailed.class.getName()) ? codeIn(failure.message()) : null;
    }

    private static @Nullable Integer codeIn(String message) {
        try {
            return Integer.valueOf(message.substring(BEFORE_CODE.length()));
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            return null;
        }
    }
}
