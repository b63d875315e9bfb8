package dev.idem.agent.tool;

import dev.idem.SideEffect;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method a tool, or says of a method that a framework has as a tool what it does to the world.
 *
 * <p>Its parameters are the fields of the input, by their names (compile with {@code -parameters}, or say them with
 * {@link Field}); a single record parameter is the input itself. A parameter of type {@link dev.idem.Call} is given
 * the call and is no field.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Guarded {
    /** What it does to the world. Of several the strictest counts; what is not declared is a WRITE. */
    SideEffect[] value() default {};

    /** The tool's name, a stable id; the method's name unless told. */
    String name() default "";

    /** What it does, for the model. */
    String description() default "";

    /** The fields that make a call this one; what is not named here is content. */
    String[] identity() default {};

    /** The fields that a model may reword. */
    String[] content() default {};

    /** Fields that change with every try and mean nothing. */
    String[] ignore() default {};

    /** Fields whose values are put on the entry, to search for; they must not be secret. */
    String[] labels() default {};

    /** Tags that describe it. */
    Tag[] tags() default {};

    /** How long the result of a READ may be given again, as an ISO duration such as {@code PT5M}; refused for others. */
    String ttl() default "";

    /** The name of the region that sessions with one cache share this READ's results in; each has its own unless told. */
    String sharedIn() default "";

    /** How long results answer duplicates, as an ISO duration such as {@code P7D}. */
    String retention() default "";

    /** How long it may act, as an ISO duration. */
    String timeLimit() default "";

    /** Exceptions that mean that nothing happened. */
    Class<? extends Throwable>[] definiteOn() default {};

    /** The name of a remote that the method hands {@link dev.idem.Call#key()} to, and which deduplicates by it. */
    String passesKeyTo() default "";

    /**
     * How long that remote remembers a key, as an ISO duration such as {@code PT24H}. To be said with
     * {@link #passesKeyTo}: nothing is presumed.
     */
    String remembersFor() default "";

    /** Whether a person must approve each call. */
    boolean approval() default false;
}
