package dev.idem.agent.tool;

import dev.idem.SideEffect;
import dev.idem.TransactionMode;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares the side effect of a tool method. On a plain method it also makes it a tool. In a Spring Boot application
 * with the starter, a method of a bean runs once for its key.
 *
 * <pre>{@code
 * @Once(identity = {"customer", "cents"}, passesKeyTo = "Stripe", timeLimit = "20s")
 * Receipt charge(String customer, long cents, String note, Call call) {
 *     return payments.charge(customer, cents, call.key());
 * }
 * }</pre>
 *
 * <p>The parameters are the fields of the input, by their names. Compile with {@code -parameters}, or name them with
 * {@link Field}. A single record parameter is the input itself. A parameter of type {@link dev.idem.Call} gets the
 * call and is not a field.
 *
 * <p>{@link dev.idem.Policy#parse} reads the members that set a policy, so durations are written as {@code 30s},
 * {@code 5m}, {@code 24h}, {@code 7d} or {@code PT5M}.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Once {
    /** The side effect of the method; WRITE by default. The strictest of several counts. */
    SideEffect[] value() default {};

    /** The name of the tool, a stable id; the name of the method by default. */
    String name() default "";

    /**
     * The key, on a method of a Spring bean: an expression such as {@code #order.id} or {@code #p0}. Without it the key is
     * derived from the arguments. Tools do not use it: their key is derived from the fields of the input.
     */
    String key() default "";

    /** The description of the tool, for the model. */
    String description() default "";

    /** The fields that identify a call; all other fields are content. By default all fields identify it. */
    String[] identity() default {};

    /** The fields that a model may reword. */
    String[] content() default {};

    /** Fields that change with every try and mean nothing, such as a timestamp. */
    String[] ignore() default {};

    /** Fields whose values become labels of the entry. Labels are searchable and must not be secret. */
    String[] labels() default {};

    /** Tags that describe the tool. */
    Tag[] tags() default {};

    /** The cache region in which sessions share the results of this READ; each session has its own by default. */
    String sharedIn() default "";

    /** The shared regions whose results are out of date once this method has run. */
    String[] makesStale() default {};

    /** How long a result answers duplicates; 7 days by default. A READ is cached for this long, and not by default. */
    String retention() default "";

    /** How long the method may act; 5 minutes by default. */
    String timeLimit() default "";

    /** Exceptions that mean that nothing happened. */
    Class<? extends Throwable>[] definiteOn() default {};

    /**
     * The remote that deduplicates by the key that the method hands to it: the name of a
     * {@link dev.idem.agent.provider.Provider}, such as {@code "Stripe"}, or any name with the time for which the remote
     * remembers a key, such as {@code "our bank 24h"}.
     */
    String passesKeyTo() default "";

    /** How a call inside a transaction relates to that transaction. Without it such a call is refused. One at most. */
    TransactionMode[] transaction() default {};

    /** Whether a person must approve each call. */
    boolean approval() default false;
}
