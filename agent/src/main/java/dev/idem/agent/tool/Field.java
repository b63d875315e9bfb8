package dev.idem.agent.tool;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names and describes a parameter of a {@link Once} method. */
@Documented
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface Field {
    /** The name of the field; the name of the parameter by default. */
    String value() default "";

    /** Describes the field to the model. */
    String description() default "";

    /** Whether it may be left out. */
    boolean optional() default false;
}
