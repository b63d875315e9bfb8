package dev.idem.clikit;

import dev.idem.Call;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A command as the kit runs it: checked, planned, and run once for each key. Commands that are a {@code Callable}, a
 * {@code Runnable} or an annotated method work too; this interface adds the call, the checks and the plan.
 */
public interface KitCommand {
    /**
     * Does the work, once for each key. What it throws leaves the key in doubt, unless it is a {@link Refusal} or of a
     * kind the command has declared as definite.
     *
     * @param call the key and the fence, to be handed to a remote that knows them
     * @return a value of the types that {@link dev.idem.internal.json.JsonValues} lists, or an {@link Effected} with one
     */
    @Nullable
    Object run(Call call) throws Exception;

    /** Everything that is wrong with the arguments, in sentences; asked before anything happens. */
    default List<String> problems() {
        return List.of();
    }

    /** What a dry run says would change, in sentences. It must change nothing. */
    default List<String> plan() throws Exception {
        return List.of();
    }
}
