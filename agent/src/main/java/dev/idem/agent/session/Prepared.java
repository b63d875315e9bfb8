package dev.idem.agent.session;

import dev.idem.Address;
import dev.idem.Operation;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.Vetted;
import org.jspecify.annotations.Nullable;

/**
 * A call that was vetted: which entry it is about, and the guarded operation that is to run it.
 *
 * @param handed the arguments for its code, which may change what it gets
 * @param readKey what a kept READ is found by: all arguments that it may depend on
 */
record Prepared(
        Tool tool,
        Vetted vetted,
        Handed handed,
        Address address,
        Operation<@Nullable Object> operation,
        String readKey) {}
