package dev.idem.spring;

import static dev.idem.spring.test.RetrySafe.assertRetrySafe;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.Filter;
import jakarta.servlet.ServletContext;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.Mergeable;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.SmartRequestBuilder;
import org.springframework.test.web.servlet.setup.DefaultMockMvcBuilder;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.WebApplicationContext;

/** The helper for the tests of applications. */
class RetrySafeTest {
    private static App app;
    private static MockMvc filtered;

    @BeforeAll
    static void start() {
        app = App.start(ShopApplication.class, "idem.ledger=memory:");
        filtered = mockMvc().addFilters(filter()).build();
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    /** Built by hand: the methods of Spring's builders have other return types in Spring 6 and 7. */
    private record Order(@Nullable String caller, String body) implements SmartRequestBuilder, Mergeable {
        @Override
        public MockHttpServletRequest buildRequest(ServletContext context) {
            MockHttpServletRequest request = new MockHttpServletRequest(context, "POST", "/orders");
            request.setContentType("application/json");
            request.setContent(body.getBytes(StandardCharsets.UTF_8));
            return request;
        }

        @Override
        public MockHttpServletRequest postProcessRequest(MockHttpServletRequest request) {
            if (caller != null) {
                request.setUserPrincipal(() -> caller);
            }
            return request;
        }

        @Override
        public boolean isMergeEnabled() {
            return true;
        }

        @Override
        public Object merge(@Nullable Object parent) {
            return caller == null && parent instanceof Order other ? new Order(other.caller, body) : this;
        }
    }

    private static final Order ORDER = new Order(null, "{\"item\":\"tea\"}");

    private static Order by(String caller) {
        return new Order(caller, ORDER.body());
    }

    private static DefaultMockMvcBuilder mockMvc() {
        return MockMvcBuilders.webAppContextSetup((WebApplicationContext) app.context());
    }

    private static Filter filter() {
        return app.context().getBean("idemFilter", FilterRegistrationBean.class).getFilter();
    }

    @Test
    void aGuardedRequestIsSafe() throws Exception {
        int before = app.bean(ShopApplication.class).runs.get();

        var first = assertRetrySafe(filtered, by("ann"));

        assertThat(first.getResponse().getStatus()).isEqualTo(201);
        assertThat(app.bean(ShopApplication.class).runs).hasValue(before + 1);
    }

    @Test
    void defaultsOfMockMvcAreKept() throws Exception {
        MockMvc mine = mockMvc().addFilters(filter()).defaultRequest(by("cyd")).build();

        assertRetrySafe(mine, ORDER);
    }

    @Test
    void aHandlerThatRunsTwiceFailsTheAssertion() {
        MockMvc bare = mockMvc().build();

        assertThatThrownBy(() -> assertRetrySafe(bare, by("ann")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("the handler ran twice")
                .hasMessageContaining("@AutoConfigureMockMvc");
    }

    @Test
    void aRequestWithoutACallerFailsTheAssertionWithAnAdvice() {
        assertThatThrownBy(() -> assertRetrySafe(filtered, ORDER))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("the first request was refused: 401")
                .hasMessageContaining(".principal(");
    }

    @Test
    void aRequestThatChangesBetweenTheTriesFailsTheAssertion() {
        int[] tries = new int[1];

        assertThatThrownBy(() -> assertRetrySafe(
                        filtered,
                        context -> by("ann")
                                .postProcessRequest(
                                        new Order("ann", "{\"item\":" + tries[0]++ + "}").buildRequest(context))))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("the second request was refused: 422");
    }
}
