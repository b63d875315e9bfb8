package dev.idem.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.http.StoredResponse;
import dev.idem.http.suite.Received;
import dev.idem.http.suite.Sent;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/** The kinds of handlers of Spring MVC: the first response and its replay are equal. */
class SpringMvcTest {
    private static final String FORM = "application/x-www-form-urlencoded";
    private static App app;

    @BeforeAll
    static void start() {
        app = App.start(
                new SpringApplication(ShopApplication.class, CallerFilter.class, Attributes.class),
                "idem.ledger=memory:");
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    private static Received replayed(Sent first, Sent again) throws Exception {
        int before = runs();
        Received one = app.send(first);
        assertThat(one.header("Idempotent-Replayed")).as(one.text()).isNull();
        Received two = app.send(again);
        assertThat(two.status()).as(two.text()).isEqualTo(one.status());
        assertThat(two.body()).isEqualTo(one.body());
        assertThat(two.header("Content-Type")).isEqualTo(one.header("Content-Type"));
        assertThat(two.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(runs()).isEqualTo(before + 1);
        return two;
    }

    private static int runs() {
        return app.bean(ShopApplication.class).runs.get();
    }

    private static Sent parts(String boundary, String bytes) {
        String body = "--" + boundary + "\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nmine\r\n--" + boundary
                + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n"
                + "Content-Type: text/plain\r\n\r\n" + bytes + "\r\n--" + boundary + "--\r\n";
        return Sent.post("/files").key("upload").body("multipart/form-data; boundary=" + boundary, body);
    }

    @Test
    void jsonWithItsFieldsInAnotherOrderIsTheSameRequest() throws Exception {
        Sent order = Sent.post("/orders").key("json");

        Received answer =
                replayed(order.json("{\"item\":\"tea\",\"count\":1}"), order.json("{\"count\":1.0,\"item\":\"tea\"}"));

        assertThat(answer.status()).isEqualTo(201);
        assertThat(app.send(order.json("{\"item\":\"coffee\"}")).status()).isEqualTo(422);
    }

    @Test
    void anErrorPageIsReplayedWithItsTimestamp() throws Exception {
        Received answer =
                replayed(Sent.post("/poor").key("402"), Sent.post("/poor").key("402"));

        assertThat(answer.status()).isEqualTo(402);
        assertThat(answer.text()).contains("\"timestamp\"", "\"path\":\"/poor\"");
    }

    @Test
    void aDeferredResultIsReplayed() throws Exception {
        Received answer = replayed(
                Sent.post("/deferred").key("later"), Sent.post("/deferred").key("later"));

        assertThat(answer.text()).startsWith("{\"deferred\":");
    }

    @Test
    void anUploadWithAnotherBoundaryIsTheSameRequest() throws Exception {
        Received answer = replayed(parts("one", "12345"), parts("two", "12345"));

        assertThat(answer.text()).startsWith("mine a.txt 5 ");
        assertThat(app.send(parts("three", "54321")).status()).isEqualTo(422);
    }

    @Test
    void aFormWhoseFieldsChooseTheHandlerIsReadOnce() throws Exception {
        Sent form = Sent.post("/form").key("form");

        Received answer = replayed(form.body(FORM, "item=tea&express=1"), form.body(FORM, "express=1&item=tea"));

        assertThat(answer.text()).startsWith("express tea ");
        assertThat(app.send(form.body(FORM, "express=1&item=coffee")).status()).isEqualTo(422);
    }

    @Test
    void aFormThatAnEarlierFilterHasReadIsStillCompared() throws Exception {
        Sent form = Sent.of("PUT", "/form").key("put");

        Received answer = replayed(form.body(FORM, "item=tea"), form.body(FORM, "item=tea"));

        assertThat(answer.text()).startsWith("put tea ");
        assertThat(app.send(form.body(FORM, "item=coffee")).status()).isEqualTo(422);
    }

    @Test
    void aKeyBelongsToThePatternOfItsRoute() throws Exception {
        assertThat(app.send(Sent.post("/orders/7").key("route")).text()).startsWith("7 changed ");
        assertThat(app.send(Sent.post("/orders/8").key("route")).status()).isEqualTo(422);
        assertThat(app.send(Sent.post("/deferred").key("route")).status()).isEqualTo(200);

        assertThat(app.idem().find(new Address("http:ann", "POST /orders/{id}", "route")))
                .isPresent();
    }

    @Test
    void aRequestThatNoHandlerTakesIsAnsweredBySpring() throws Exception {
        assertThat(app.send(Sent.of("DELETE", "/orders").key("405")).status()).isEqualTo(405);
        assertThat(app.send(Sent.post("/nowhere").key("404")).status()).isEqualTo(404);
    }

    @Test
    void aHandlerThatDidNothingIsAProblemAndFreesItsKey() throws Exception {
        for (String path : List.of("/closed", "/closed-later")) {
            int before = runs();
            Received refused = app.send(Sent.post(path).key("k"));
            Received again = app.send(Sent.post(path).key("k"));

            assertThat(refused.status()).as(refused.text()).isEqualTo(503);
            assertThat(refused.text()).contains("urn:idem:problem:not-executed").doesNotContain("the shop");
            assertThat(refused.header("Retry-After")).isEqualTo("1");
            assertThat(again.status()).isEqualTo(503);
            assertThat(runs()).isEqualTo(before + 2);
        }
    }

    @Test
    void allPathsWithoutAHandlerAreOneOperation() throws Exception {
        app.send(Sent.post("/made/up").key("one"));
        app.send(Sent.post("/made/up/too").key("two"));

        assertThat(app.idem().find(new Address("http:ann", "POST /**", "one"))).isPresent();
        assertThat(app.idem().find(new Address("http:ann", "POST /**", "two"))).isPresent();
    }

    @Test
    void theErrorPageOfAnEarlierFilterIsNotGuarded() throws Exception {
        Received order = app.send(Sent.post("/orders").key("refused").json("{}").by("mallory"));
        Received poor = app.send(Sent.post("/poor").key("refused").by("mallory"));

        assertThat(order.status()).as(order.text()).isEqualTo(403);
        assertThat(order.text()).contains("\"path\":\"/orders\"");
        assertThat(poor.status()).as(poor.text()).isEqualTo(403);
        assertThat(poor.text()).contains("\"path\":\"/poor\"");
    }

    @Test
    void theSearchForTheRouteLeavesNoTraceInTheRequest() throws Exception {
        app.send(Sent.post("/orders/7").key("trace"));

        assertThat(app.bean(Attributes.class).seen)
                .isNotEmpty()
                .noneMatch(name -> name.startsWith(HandlerMapping.class.getName()))
                .doesNotContain(ServletRequestPathUtils.PATH_ATTRIBUTE);
    }

    /** Runs after the guard, and sees what the handler's side sees. */
    static final class Attributes extends OncePerRequestFilter {
        final Set<String> seen = ConcurrentHashMap.newKeySet();

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            seen.addAll(Collections.list(request.getAttributeNames()));
            chain.doFilter(request, response);
        }
    }

    @Test
    void anUncaughtExceptionIsInDoubtUntilItIsResolved() throws Exception {
        Sent request = Sent.post("/broken").key("doubt");
        int before = runs();

        assertThat(app.send(request).status()).isEqualTo(500);
        Received refused = app.send(request);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text()).contains("urn:idem:problem:in-doubt");

        Entry entry = app.idem()
                .find(new Address("http:ann", "POST /broken", "doubt"))
                .orElseThrow();
        assertThat(entry.failure().type()).isEqualTo("java.lang.IllegalStateException");
        app.idem()
                .resolve(entry)
                .by("bob")
                .because("the order is in the list")
                .asComplete(StoredResponse.text(201, "text/plain", "order 7"));
        Received resolved = app.send(request);

        assertThat(resolved.status()).isEqualTo(201);
        assertThat(resolved.text()).isEqualTo("order 7");
        assertThat(resolved.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(runs()).isEqualTo(before + 1);
    }
}
