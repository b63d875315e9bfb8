package dev.idem.http.client;

import java.lang.reflect.Field;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Clients of Spring that take the end of the connection for the end of the headers: {@code HttpURLConnection} and the
 * HttpClient of Apache. Both speak HTTP/1.1 alone, where a response without a body says so.
 */
final class LenientClients {
    private static final String SPRING = "org.springframework.http.client.";
    private static final Set<String> RESPONSES =
            Set.of(SPRING + "SimpleClientHttpResponse", SPRING + "HttpComponentsClientHttpResponse");
    private static final int MOST_WRAPPERS = 8;

    private LenientClients() {}

    /** Whether a response came from such a client; false where a wrapper does not show it. */
    static boolean gave(ClientHttpResponse response) {
        ClientHttpResponse found = response;
        for (int i = 0; found != null && i < MOST_WRAPPERS; i++) {
            if (RESPONSES.contains(found.getClass().getName())) {
                return true;
            }
            found = wrapped(found);
        }
        return false;
    }

    /** Wrappers of Spring, such as those that buffer, have no method for it. */
    private static @Nullable ClientHttpResponse wrapped(ClientHttpResponse wrapper) {
        for (Class<?> type = wrapper.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (ClientHttpResponse.class.isAssignableFrom(field.getType())
                        && field.trySetAccessible()
                        && value(field, wrapper) instanceof ClientHttpResponse inner) {
                    return inner;
                }
            }
        }
        return null;
    }

    private static @Nullable Object value(Field field, Object of) {
        try {
            return field.get(of);
        } catch (IllegalAccessException e) {
            return null;
        }
    }
}
