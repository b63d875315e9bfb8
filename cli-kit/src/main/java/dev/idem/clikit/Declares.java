package dev.idem.clikit;

import dev.idem.SideEffect;
import dev.idem.spi.Effect;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says what a command does to the world. It stands on the class or the method that is the picocli command; a program
 * with a command that lacks it does not start.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Declares {
    /** The class of the command, which decides its options and its policy. */
    SideEffect value();

    /**
     * What it does when it does something; at most one of created, updated and deleted. Unless told, a WRITE creates, an
     * IDEMPOTENT command updates and a DESTRUCTIVE one deletes. A dry run answers with it, and so does a command that
     * returns a bare value.
     */
    Effect[] effect() default {};

    /** Where the key comes from. */
    KeyRule key() default KeyRule.DERIVED;

    /** The permissions that its credential needs from a service, the most important first; none unless told. */
    String[] requiredScopes() default {};

    /** Exceptions of these kinds mean that nothing happened. */
    Class<? extends Throwable>[] definiteOn() default {};
}
