package dev.idem.spring.test;

import jakarta.servlet.ServletContext;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.Mergeable;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.test.web.servlet.RequestBuilder;
import org.springframework.test.web.servlet.SmartRequestBuilder;
import org.springframework.web.context.support.WebApplicationContextUtils;

/** A request of a test with an idempotency key. It takes part in all that {@code MockMvc} does with the request itself. */
record KeyedRequest(RequestBuilder request, String key) implements SmartRequestBuilder, Mergeable {
    @Override
    public MockHttpServletRequest buildRequest(ServletContext context) {
        MockHttpServletRequest built = request.buildRequest(context);
        String header = RetrySafe.rules(WebApplicationContextUtils.getWebApplicationContext(context))
                .keyHeader();
        if (built.getHeader(header) == null) {
            built.addHeader(header, '"' + key + '"');
        }
        return built;
    }

    @Override
    public MockHttpServletRequest postProcessRequest(MockHttpServletRequest built) {
        return request instanceof SmartRequestBuilder smart ? smart.postProcessRequest(built) : built;
    }

    @Override
    public boolean isMergeEnabled() {
        return request instanceof Mergeable mergeable && mergeable.isMergeEnabled();
    }

    @Override
    public Object merge(@Nullable Object parent) {
        Object merged = request instanceof Mergeable mergeable ? mergeable.merge(parent) : request;
        return new KeyedRequest((RequestBuilder) merged, key);
    }
}
