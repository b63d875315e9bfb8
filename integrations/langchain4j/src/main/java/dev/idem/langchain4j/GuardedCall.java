package dev.idem.langchain4j;

import dev.idem.Call;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.invocation.LangChain4jManaged;
import java.util.HashMap;
import java.util.Map;

/**
 * The running call of a {@code @Tool} method. LangChain4j passes it to a parameter of this type, which the model does not
 * see: {@code String charge(String customer, long cents, GuardedCall guarded)}.
 *
 * @param call with the key to hand to a remote that deduplicates by it
 */
public record GuardedCall(Call call) implements LangChain4jManaged {
    /** The key. Hand it to a remote that deduplicates by it. */
    public String key() {
        return call.key();
    }

    /** A context that carries it. */
    static InvocationContext in(InvocationContext context, Call call) {
        Map<Class<? extends LangChain4jManaged>, LangChain4jManaged> managed = new HashMap<>();
        if (context.managedParameters() != null) {
            managed.putAll(context.managedParameters());
        }
        managed.put(GuardedCall.class, new GuardedCall(call));
        return context.toBuilder().managedParameters(managed).build();
    }
}
