package dev.idem.clikit;

import dev.idem.SideEffect;
import dev.idem.spi.Effect;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares the side effect of a command, on the class or the method that is the picocli command. A program with an
 * undeclared command does not start.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Declares {
    /** The class of the command, which decides its options and its policy. */
    SideEffect value();

    /**
     * The effect of the command; at most one of created, updated and deleted. By default a WRITE creates, an IDEMPOTENT
     * command updates and a DESTRUCTIVE one deletes. A dry run reports it, and so does a command that returns a plain
     * value.
     */
    Effect[] effect() default {};

    /** The source of the key. */
    KeyRule key() default KeyRule.DERIVED;

    /** The permissions that its credential needs from a service, the most important first; none by default. */
    String[] requiredScopes() default {};

    /** Exceptions of these kinds mean that nothing happened. */
    Class<? extends Throwable>[] definiteOn() default {};
}
