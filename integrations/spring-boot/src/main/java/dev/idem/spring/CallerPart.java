package dev.idem.spring;

import dev.idem.http.Request;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A part of the caller beside the principal, such as the tenant or the issuer of the token, where one name can stand for
 * several callers. A bean of this type is a rule of {@code HttpRules.caller}. Its argument is an {@code HttpServletRequest}
 * too.
 */
@FunctionalInterface
public interface CallerPart extends Function<Request, @Nullable String> {}
