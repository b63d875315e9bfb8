package dev.idem.clikit.program;

import dev.idem.SideEffect;
import dev.idem.clikit.Declares;
import dev.idem.clikit.KeyRule;
import dev.idem.clikit.KitCommand;
import dev.idem.clikit.UndeclaredCommandException;
import dev.idem.spi.Effect;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The checked declaration of a command.
 *
 * @param operation the stable name of the command: its path below the program, joined by dots
 */
public record Declaration(
        String operation,
        SideEffect sideEffect,
        Effect effect,
        KeyRule key,
        List<String> requiredScopes,
        List<Class<? extends Throwable>> definiteOn) {
    public Declaration {
        definiteOn = List.copyOf(definiteOn);
    }

    /** The declaration of a command; null for a group of commands and for picocli's own commands. */
    static @Nullable Declaration of(CommandSpec spec) {
        Object body = spec.userObject();
        if (!runs(body) || spec.helpCommand() || body.getClass().getName().startsWith("picocli.")) {
            return null;
        }
        AnnotatedElement element = body instanceof Method method ? method : body.getClass();
        Declares declares = element.getAnnotation(Declares.class);
        if (declares == null) {
            throw new UndeclaredCommandException(missing(spec, element));
        }
        return new Declaration(
                path(spec),
                declares.value(),
                effect(spec, declares),
                declares.key(),
                List.of(declares.requiredScopes()),
                List.of(declares.definiteOn()));
    }

    /** The path of a command below the program, joined by dots; the program's own name for the program itself. */
    public static String path(CommandSpec spec) {
        List<String> names = new ArrayList<>();
        for (CommandSpec at = spec; at.parent() != null; at = at.parent()) {
            names.add(0, at.name());
        }
        return names.isEmpty() ? spec.name() : String.join(".", names);
    }

    public boolean mutates() {
        return sideEffect != SideEffect.READ;
    }

    public boolean destroys() {
        return sideEffect == SideEffect.DESTRUCTIVE;
    }

    /** The effect that a dry run reports. */
    public Effect wouldBe() {
        return switch (effect) {
            case UPDATED -> Effect.WOULD_UPDATE;
            case DELETED -> Effect.WOULD_DELETE;
            default -> Effect.WOULD_CREATE;
        };
    }

    private static boolean runs(@Nullable Object body) {
        return body instanceof KitCommand
                || body instanceof Callable<?>
                || body instanceof Runnable
                || body instanceof Method;
    }

    private static Effect effect(CommandSpec spec, Declares declares) {
        Effect[] given = declares.effect();
        if (given.length == 0) {
            return switch (declares.value()) {
                case READ -> Effect.NOOP;
                case IDEMPOTENT -> Effect.UPDATED;
                case WRITE -> Effect.CREATED;
                case DESTRUCTIVE -> Effect.DELETED;
            };
        }
        boolean changes = given.length == 1
                && (given[0] == Effect.CREATED || given[0] == Effect.UPDATED || given[0] == Effect.DELETED);
        if (!changes || declares.value() == SideEffect.READ) {
            throw new UndeclaredCommandException("the command '" + path(spec) + "' declares an effect that can't be: "
                    + "name one of CREATED, UPDATED and DELETED, and none for a READ");
        }
        return given[0];
    }

    private static String missing(CommandSpec spec, AnnotatedElement element) {
        StringBuilder message = new StringBuilder("the command '" + path(spec)
                + "' declares no side effect, so the program does not start. Write one of these above "
                + element + ":");
        for (SideEffect each : SideEffect.values()) {
            message.append("\n  @Declares(SideEffect.")
                    .append(each)
                    .append(")  ")
                    .append(meaning(each));
        }
        return message.toString();
    }

    private static String meaning(SideEffect sideEffect) {
        return switch (sideEffect) {
            case READ -> "it changes nothing";
            case IDEMPOTENT -> "running it again does no harm";
            case WRITE -> "running it twice does harm";
            case DESTRUCTIVE -> "it removes something for good";
        };
    }
}
