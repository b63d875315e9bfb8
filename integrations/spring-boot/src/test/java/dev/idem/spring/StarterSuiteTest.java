package dev.idem.spring;

import static org.springframework.web.bind.annotation.RequestMethod.DELETE;
import static org.springframework.web.bind.annotation.RequestMethod.GET;
import static org.springframework.web.bind.annotation.RequestMethod.OPTIONS;
import static org.springframework.web.bind.annotation.RequestMethod.PATCH;
import static org.springframework.web.bind.annotation.RequestMethod.POST;
import static org.springframework.web.bind.annotation.RequestMethod.PUT;

import dev.idem.NotExecutedException;
import dev.idem.http.HttpRules;
import dev.idem.http.servlet.IdemFilter;
import dev.idem.http.suite.HttpCase;
import dev.idem.http.suite.HttpCases;
import dev.idem.http.suite.HttpSurface;
import dev.idem.http.suite.Received;
import dev.idem.http.suite.Sent;
import dev.idem.http.suite.Work;
import dev.idem.testkit.Thorough;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The table of rules, against the starter. Cases with the same rules share an application, and have callers of their own. */
class StarterSuiteTest {
    private static final Map<HttpRules, App> APPS = new IdentityHashMap<>();
    private static final AtomicInteger CASES = new AtomicInteger();

    /** In a quick build every fourth case: all of them run against the filter, and some start an application. */
    @TestFactory
    Stream<DynamicTest> everyRuleHolds() {
        List<HttpCase> all = HttpCases.all();
        return IntStream.range(0, all.size())
                .filter(i -> i % Thorough.times(4, 1) == 0)
                .mapToObj(all::get)
                .map(each -> DynamicTest.dynamicTest(each.name(), () -> each.play(StarterSuiteTest::open)));
    }

    @AfterAll
    static void stop() {
        APPS.values().forEach(App::close);
    }

    private static HttpSurface open(HttpRules rules, Supplier<Work> handler) {
        App app = APPS.computeIfAbsent(rules, StarterSuiteTest::start);
        app.bean(Worker.class).handler = handler;
        return new Surface(app, "case" + CASES.incrementAndGet() + "-");
    }

    private static App start(HttpRules rules) {
        SpringApplication application = new SpringApplication(Worker.class, CallerFilter.class);
        application.addInitializers(context -> context.getBeanFactory().registerSingleton("rules", rules));
        return App.start(application, "idem.ledger=memory:", "spring.main.lazy-initialization=true");
    }

    private record Surface(App app, String callers) implements HttpSurface {
        @Override
        public Received send(Sent request) throws Exception {
            return app.send(request.caller().isEmpty() ? request : request.by(callers + request.caller()));
        }

        @Override
        public void close() {}
    }

    /** Does the next work of the suite. */
    @EnableAutoConfiguration
    @RestController
    static class Worker {
        private volatile Supplier<Work> handler;

        @RequestMapping(
                path = {"/orders", "/orders/{id}", "/orders/{id}/refunds", "/refunds", "/files"},
                method = {GET, POST, PUT, PATCH, DELETE, OPTIONS})
        void work(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
            Work work = handler.get();
            if (work.response().isNotExecuted()) {
                IdemFilter.notExecuted(request);
            }
            work.response().doubt().ifPresent(why -> IdemFilter.rolledBack(request, why));
            switch (work.how()) {
                case THROWS -> throw new IOException("the connection was lost");
                case THROWS_NOT_EXECUTED ->
                    throw new ServletException("wrapped", new NotExecutedException("the database is full"));
                default -> {
                    response.setStatus(work.response().status());
                    work.response()
                            .headers()
                            .forEach((name, lines) -> lines.forEach(line -> response.addHeader(name, line)));
                    response.getOutputStream().write(work.response().body());
                    if (work.how() == Work.How.STREAMS) {
                        response.flushBuffer();
                    }
                }
            }
        }
    }
}
