package dev.idem.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Json;
import dev.idem.http.suite.Received;
import dev.idem.http.suite.Sent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** The operation of a request is the template of its route, in the notation of all languages. */
class RouteCasesTest {
    private static final Path CASES = Path.of("../../clients/route-cases.jsonl");

    @EnableAutoConfiguration
    static class Empty {}

    /** A handler for any route. */
    static final class Handler {
        @ResponseBody
        public String handle() {
            return "done";
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void theOperationIsTheTemplateOfTheRoute() throws Exception {
        try (App app = App.start(Empty.class, "idem.ledger=memory:")) {
            for (String line : Files.readAllLines(CASES)) {
                Map<String, String> each = (Map<String, String>) Json.parse(line);
                if (each.containsKey("spring")) {
                    isNamed(app, each.get("spring"), each.get("path"), each.get("template"), each.get("name"));
                }
            }
        }
    }

    /** It is all that stands before the patterns of Spring. */
    @Test
    void theContextPathAndThatOfTheServletArePartOfIt() throws Exception {
        String[] paths = {"server.servlet.context-path=/shop", "spring.mvc.servlet.path=/api"};
        try (App app = App.start(Empty.class, "idem.ledger=memory:", paths[0], paths[1])) {
            isNamed(app, "/bills/{id}", "/shop/api/bills/42", "/shop/api/bills/{id}", "k");
            app.send(Sent.post("/shop/api/nowhere").key("nowhere"));

            assertThat(app.idem().find(new Address("http:ann", "POST /shop/api/*", "nowhere")))
                    .isPresent();
        }
    }

    @Test
    void twoPathsOfARouteAreNeverOneCall() throws Exception {
        try (App app = App.start(ShopApplication.class, "idem.ledger=memory:")) {
            assertThat(app.send(Sent.post("/orders/42").key("k")).status()).isEqualTo(200);
            assertThat(app.send(Sent.post("/orders/%34%32").key("k")).header("Idempotent-Replayed"))
                    .isEqualTo("true");
            for (String other : List.of("/orders/43", "/orders/42;v=1", "/orders/%C3%A9")) {
                assertThat(app.send(Sent.post(other).key("k")).text()).as(other).contains("key-reused");
            }
        }
    }

    private static void isNamed(App app, String pattern, String path, String template, String name) throws Exception {
        var mapping = app.context().getBean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class);
        var route = RequestMappingInfo.paths(pattern)
                .methods(RequestMethod.POST)
                .options(mapping.getBuilderConfiguration())
                .build();
        mapping.registerMapping(route, new Handler(), Handler.class.getMethod("handle"));
        String key = name.replace(' ', '-');

        Received answer = app.send(Sent.post(path).key(key));

        mapping.unregisterMapping(route);
        assertThat(app.idem().find(new Address("http:ann", "POST " + template, key)))
                .as("%s: %s is answered with %s", pattern, path, answer.text())
                .isPresent();
    }
}
