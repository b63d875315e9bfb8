package dev.idem.http;

import dev.idem.Call;
import dev.idem.NotExecutedException;
import java.util.concurrent.CompletionStage;

/** The work behind a guarded request. The guard calls it once for each key. */
@FunctionalInterface
public interface Handler {
    /**
     * Answers the request. When it throws or its stage fails, the entry is in doubt, unless the exception is a {@link
     * NotExecutedException}, which frees the key.
     *
     * @param call the key to pass on to remotes, and whether this attempt still owns it
     */
    CompletionStage<Response> handle(Call call) throws Exception;
}
