package dev.idem.jackson;

import dev.idem.Codec;
import dev.idem.spi.Payload;
import java.lang.reflect.Type;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The codec that core finds by itself: Jackson 3 if it is on the class path, else Jackson 2, with default settings and
 * all modules on the class path. Without Jackson it handles no type.
 *
 * <p>Core uses it for the types that it can't store itself. Thread-safe.
 */
public final class JacksonOnClassPath implements Codec {
    private static final String DATABIND =
            "tools.jackson.core:jackson-databind or com.fasterxml.jackson.core:jackson-databind";

    private final @Nullable Codec found;

    /** Looks for Jackson; called by the service loader. */
    public JacksonOnClassPath() {
        this(JacksonOnClassPath.class.getClassLoader());
    }

    JacksonOnClassPath(ClassLoader loader) {
        if (has(loader, "tools.jackson.databind.json.JsonMapper")) {
            found = Jackson3Codec.standard();
        } else if (has(loader, "com.fasterxml.jackson.databind.json.JsonMapper")) {
            found = Jackson2Codec.standard();
        } else {
            found = null;
        }
    }

    private static boolean has(ClassLoader loader, String name) {
        try {
            Class.forName(name, false, loader);
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    @Override
    public String name() {
        return "jackson";
    }

    @Override
    public boolean handles(Type type) {
        return found != null && found.handles(type);
    }

    @Override
    public Optional<String> refusal(Type type) {
        return found == null
                ? Optional.of(
                        "idem-jackson is on the class path, but neither Jackson 2 nor Jackson 3 is: add " + DATABIND)
                : found.refusal(type);
    }

    @Override
    public Payload encode(Object value, Type type) throws Exception {
        return present().encode(value, type);
    }

    @Override
    public @Nullable Object decode(Payload payload, Type type) throws Exception {
        return present().decode(payload, type);
    }

    private Codec present() {
        if (found == null) {
            throw new IllegalStateException("Jackson wrote this result and is not on the class path. Add " + DATABIND);
        }
        return found;
    }
}
