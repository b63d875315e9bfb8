package dev.idem.clikit.call;

import dev.idem.Call;
import dev.idem.clikit.KitCommand;
import dev.idem.clikit.Probed;
import dev.idem.clikit.line.ParsedLine;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.RunLast;

/** The code of a command: a {@link KitCommand}, or anything else that picocli can run. */
final class Body {
    private final ParsedLine line;
    private final Object command;

    Body(ParsedLine line) {
        this.line = line;
        this.command = line.spec().userObject();
    }

    List<String> problems() {
        return command instanceof KitCommand ours ? ours.problems() : List.of();
    }

    List<String> plan() throws Exception {
        return command instanceof KitCommand ours ? ours.plan() : List.of();
    }

    @Nullable
    Probed probed() {
        return command instanceof Probed ours ? ours : null;
    }

    @Nullable
    Object run(Call call) throws Exception {
        if (command instanceof KitCommand ours) {
            return ours.run(call);
        }
        try {
            new RunLast().execute(line.top());
        } catch (ExecutionException e) {
            // picocli wraps the command's exception, whose type decides whether anything happened.
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            } else if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e;
        }
        CommandLine last = line.spec().commandLine();
        return last.<@Nullable Object>getExecutionResult();
    }
}
