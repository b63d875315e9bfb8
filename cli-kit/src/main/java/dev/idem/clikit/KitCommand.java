package dev.idem.clikit;

import dev.idem.Call;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A command of the kit, which runs once for each key. A {@code Callable}, a {@code Runnable} or an annotated method
 * works too; this interface adds the call, the checks and the plan.
 */
public interface KitCommand {
    /**
     * Does the work, once for each key. An exception leaves the key in doubt, unless it is a {@link Refusal} or of a
     * type that the command has declared as definite.
     *
     * @param call the key and the fence, for a remote that knows them
     * @return a value of the types that {@link dev.idem.internal.json.JsonValues} lists, or an {@link Effected} with one
     */
    @Nullable
    Object run(Call call) throws Exception;

    /** All problems of the arguments, in sentences; called before anything happens. */
    default List<String> problems() {
        return List.of();
    }

    /** The changes that a dry run reports, in sentences. It must change nothing. */
    default List<String> plan() throws Exception {
        return List.of();
    }
}
