package dev.idem.gauntlet;

import com.trendyol.jdempotent.core.annotation.JdempotentIgnore;
import com.trendyol.jdempotent.core.annotation.JdempotentRequestPayload;
import com.trendyol.jdempotent.core.annotation.JdempotentResource;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The two operations as Jdempotent guards them; not final, since Spring AOP makes a subclass of it. */
public class JdempotentBean {
    @JdempotentResource(cachePrefix = "charge")
    public @Nullable String charge(@JdempotentRequestPayload Request request) {
        return request.work.run();
    }

    @JdempotentResource(cachePrefix = "mail")
    public @Nullable String mail(@JdempotentRequestPayload Request request) {
        return request.work.run();
    }

    /** The argument, whose fields are read by reflection. */
    public static final class Request {
        final String key;
        final Map<String, Object> payload;

        @JdempotentIgnore
        final Work work;

        Request(String key, Map<String, Object> payload, Work work) {
            this.key = key;
            this.payload = payload;
            this.work = work;
        }
    }
}
