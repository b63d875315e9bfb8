package dev.idem.agent.session;

import dev.idem.Idem;
import dev.idem.agent.shadow.AuditLine;
import dev.idem.agent.shadow.AuditLog;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.spi.Effect;
import java.time.InstantSource;

/** Records calls instead of making them. */
record Shadow(Idem idem, AuditLog log, InstantSource clock) {
    ToolAnswer record(Prepared call) {
        Tool tool = call.tool();
        boolean before = idem.find(call.address()).filter(call::isDoneBy).isPresent();
        Effect effect = before ? Effect.NOOP : would(tool.effect());
        log.add(new AuditLine(
                clock.instant(),
                call.address().scope(),
                tool.name(),
                tool.sideEffect(),
                call.vetted().arguments(),
                call.address().key(),
                effect));
        Object stub = tool.stub(call.vetted()).orElse(null);
        return new ToolAnswer.Recorded(tool.name(), call.address(), effect, stub);
    }

    private static Effect would(Effect effect) {
        return switch (effect) {
            case CREATED, WOULD_CREATE -> Effect.WOULD_CREATE;
            case UPDATED, WOULD_UPDATE -> Effect.WOULD_UPDATE;
            case DELETED, WOULD_DELETE -> Effect.WOULD_DELETE;
            case NOOP -> Effect.NOOP;
        };
    }
}
