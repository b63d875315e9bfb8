package dev.idem.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.http.suite.Received;
import dev.idem.http.suite.Sent;
import dev.idem.server.console.Console;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** The console inside an application, behind the real Spring Security. */
class ConsoleHandlerTest {
    private static final String[] CONSOLE = {
        "idem.ledger=memory:",
        "spring.autoconfigure.exclude=",
        "idem.console.enabled=true",
        "idem.console.role=OPS",
        "idem.console.read-role=LOOK",
        // Requests of the console have no key.
        "idem.http.key-required=true"
    };

    private static final String ID = "0123456789abcdef".repeat(2);

    private static App app;

    @BeforeAll
    static void start() {
        app = App.start(new SpringApplication(Secured.class), CONSOLE);
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    @Configuration(proxyBeanMethods = false)
    static class Users {
        private static UserDetails user(String name, String... roles) {
            return User.withUsername(name)
                    .password("{noop}" + name)
                    .roles(roles)
                    .build();
        }

        @Bean
        InMemoryUserDetailsManager users() {
            return new InMemoryUserDetailsManager(
                    user("ann", "OPS"), user("bob", "USER"), user("carl", "USER", "LOOK"));
        }
    }

    @Import({ShopApplication.class, Users.class})
    static class Secured {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(all -> all.anyRequest().authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }
    }

    /** Anybody may come in, as far as the application is asked. */
    @Import({ShopApplication.class, Users.class})
    static class Open {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(all -> all.anyRequest().permitAll())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }
    }

    /** Only another path is behind Spring Security. */
    @Import({ShopApplication.class, Users.class})
    static class Elsewhere {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.securityMatcher("/orders/**")
                    .authorizeHttpRequests(all -> all.anyRequest().authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }
    }

    private static String basic(String name) {
        String credentials = name + ":" + name;
        return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    }

    private static Sent by(String name, Sent sent) {
        return name.isEmpty() ? sent.by("") : sent.by("").header("Authorization", basic(name));
    }

    private static Received get(String name, String path) throws Exception {
        return app.send(by(name, Sent.of("GET", path)));
    }

    /** What a page has after it has asked for its settings. */
    private record Page(String name, String cookie, String csrf) {
        static Page of(String name) throws Exception {
            return of(name, get(name, "/idem/console/settings"));
        }

        static Page of(String name, Received settings) {
            assertThat(settings.status()).as(settings.text()).isEqualTo(200);
            String cookie = settings.header("Set-Cookie");
            return new Page(
                    name,
                    cookie.substring(0, cookie.indexOf(';')),
                    settings.text()
                            .replaceAll(
                                    "(?s).*\"csrf\":\\{\"header\":\"X-CSRF-TOKEN\",\"token\":\"([^\"]+)\".*", "$1"));
        }

        Sent sent(String method, String body) {
            return by(name, Sent.post("/idem/v1/" + method)).json(body).header("Cookie", cookie);
        }

        Received call(String method, String body) throws Exception {
            return app.send(sent(method, body).header("X-CSRF-TOKEN", csrf));
        }
    }

    @Test
    void whoHasTheRoleGetsThePage() throws Exception {
        Received page = get("ann", "/idem/");
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.text()).startsWith("<!doctype html>");
        assertThat(page.header("Content-Security-Policy")).isEqualTo(Console.CONTENT_SECURITY_POLICY);
        assertThat(page.header("Cache-Control")).isEqualTo("no-store");
        Received script = get("ann", "/idem/lib/lit-html/lit-html.js");
        assertThat(script.header("Content-Type")).startsWith("text/javascript");
        Received again = app.send(by("ann", Sent.of("GET", "/idem/lib/lit-html/lit-html.js"))
                .header("If-None-Match", script.header("ETag")));
        assertThat(again.status()).isEqualTo(304);
        assertThat(get("ann", "/idem/none.js").status()).isEqualTo(404);
        Received led = get("ann", "/idem");
        assertThat(led.status()).isEqualTo(302);
        assertThat(led.header("Location")).isEqualTo("idem/");
    }

    @Test
    void theSettingsTellWhoItIs() throws Exception {
        assertThat(get("ann", "/idem/console/settings").text())
                .startsWith("{\"signed_in\":true,\"sign_in\":\"none\",")
                .contains(
                        "\"who\":\"ann\"",
                        "\"rights\":[\"read\",\"payloads\",\"act\",\"operate\"]",
                        "\"X-CSRF-TOKEN\"");
    }

    @ParameterizedTest
    @CsvSource({"'', 401", "bob, 403"})
    void nobodyElseGetsAnything(String name, int status) throws Exception {
        for (String path : List.of(
                "/idem", "/idem/", "/idem/lib/lit-html/lit-html.js", "/idem/console/settings", "/idem/v1/events")) {
            Received refused = get(name, path);
            assertThat(refused.status()).as(path).isEqualTo(status);
            assertThat(refused.text()).doesNotContain("doctype html>", "signed_in", "application:");
        }
        // With a session, and its token, that is good for somebody else.
        Page ann = Page.of("ann");
        Received refused = new Page(name, ann.cookie, ann.csrf).call("hello", "{}");
        assertThat(refused.status()).isEqualTo(status);
        assertThat(refused.text()).doesNotContain("ledger_id");
    }

    @Test
    void anApplicationThatLetsEverybodyInDoesNotOpenTheConsole() throws Exception {
        try (App open = App.start(new SpringApplication(Open.class), CONSOLE)) {
            assertThat(open.send(Sent.of("GET", "/idem/").by("")).status()).isEqualTo(401);
            assertThat(open.send(Sent.of("GET", "/idem/console/settings").by(""))
                            .status())
                    .isEqualTo(401);
            assertThat(open.send(by("bob", Sent.of("GET", "/idem/"))).status()).isEqualTo(403);
            assertThat(open.send(by("bob", Sent.of("GET", "/idem/console/settings")))
                            .status())
                    .isEqualTo(403);
            assertThat(open.send(by("ann", Sent.of("GET", "/idem/"))).status()).isEqualTo(200);
        }
    }

    @Test
    void withoutItsCsrfTokenNothingHappens() throws Exception {
        Page page = Page.of("ann");
        String claim = "{\"operation\":\"o\",\"key\":\"csrf\",\"attempt_id\":\"" + ID + "\"}";
        // The filter refuses it before it looks at the password, which the error page then asks for.
        assertThat(app.send(page.sent("claim", claim)).status()).isEqualTo(401);
        assertThat(app.send(page.sent("claim", claim).header("X-CSRF-TOKEN", "x"))
                        .status())
                .isEqualTo(401);
        String find = "{\"operation\":\"o\",\"key\":\"csrf\"}";
        assertThat(page.call("find", find).text()).contains("\"none\"");
        assertThat(page.call("claim", claim).text()).contains("\"granted\"");
        assertThat(page.call("find", find).text()).contains("\"in_progress\"");
    }

    /** Also if the application lets such pages read everything, and forgets the token. */
    @ParameterizedTest
    @ValueSource(strings = {"same-site", "cross-site"})
    void aPageOfAnotherOriginGetsNothing(String site) throws Exception {
        Page page = Page.of("ann");
        assertThat(app.send(page.sent("hello", "{}")
                                .header("X-CSRF-TOKEN", page.csrf)
                                .header("Sec-Fetch-Site", site))
                        .status())
                .isEqualTo(403);
        for (String path : List.of("/idem/", "/idem/console/settings", "/idem/v1/events", "/idem/main.js")) {
            assertThat(app.send(by("ann", Sent.of("GET", path)).header("Sec-Fetch-Site", site))
                            .status())
                    .as(path)
                    .isEqualTo(403);
        }
        assertThat(app.send(by("ann", Sent.of("GET", "/idem/"))
                                .header("Sec-Fetch-Site", site)
                                .header("Sec-Fetch-Mode", "navigate")
                                .header("Sec-Fetch-Dest", "document"))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aFormIsRefused() throws Exception {
        Page page = Page.of("ann");
        Sent form = by("ann", Sent.post("/idem/v1/hello"))
                .body("text/plain", "{}")
                .header("Cookie", page.cookie)
                .header("X-CSRF-TOKEN", page.csrf);
        assertThat(app.send(form).status()).isEqualTo(415);
    }

    @Test
    void aTextThatIsNotUtf8IsRefused() throws Exception {
        Page page = Page.of("ann");
        Sent latin = by("ann", Sent.post("/idem/v1/find"))
                .body("application/json; charset=iso-8859-1", "{\"operation\":\"o\",\"key\":\"k\"}")
                .header("Cookie", page.cookie)
                .header("X-CSRF-TOKEN", page.csrf);
        assertThat(app.send(latin).status()).isEqualTo(415);
        assertThat(app.send(by("ann", Sent.of("GET", "/idem/v1/events?filter=%7B%22operation%22:%22M%FCller%22%7D")))
                        .status())
                .isEqualTo(400);
    }

    @Test
    void whoMayOnlyLookChangesNothing() throws Exception {
        Page ann = Page.of("ann");
        Page carl = Page.of("carl");
        String granted = ann.call("claim", "{\"operation\":\"o\",\"key\":\"look\",\"attempt_id\":\"" + ID + "\"}")
                .text();
        ann.call("settle", "{\"ticket\":\"" + member(granted, "ticket") + "\",\"as\":\"in_doubt\"}");
        String resolve = "{\"operation\":\"o\",\"key\":\"look\",\"fence\":\"" + member(granted, "fence")
                + "\",\"state\":\"in_doubt\",\"as\":\"complete\",\"why\":\"seen\",\"request_id\":\"request-1\"}";
        String find = "{\"operation\":\"o\",\"key\":\"look\"}";

        assertThat(carl.call("resolve", resolve).status()).isEqualTo(403);
        assertThat(carl.call("result", find).status()).isEqualTo(403);
        assertThat(carl.call("find", find).text()).contains("\"in_doubt\"");
        assertThat(ann.call("resolve", resolve).text()).contains("\"done\"");
        assertThat(carl.call("find", find).text()).contains("resolved by ann: seen");
    }

    private static String member(String json, String name) {
        return json.replaceAll("(?s).*\"" + name + "\":\"([^\"]+)\".*", "$1");
    }

    @Test
    void errorsOfTheApiAreProblems() throws Exception {
        Page page = Page.of("ann");
        Received unknown = page.call("no-such-method", "{}");
        assertThat(unknown.status()).isEqualTo(400);
        assertThat(unknown.header("Content-Type")).startsWith("application/problem+json");
        assertThat(unknown.text()).contains("\"malformed\"");
        assertThat(get("ann", "/idem/v1/hello").status()).isEqualTo(405);
    }

    @Test
    void aStreamTellsOfChangesAndEndsWithTheSession() throws Exception {
        Page page = Page.of("ann");
        String port = app.context().getEnvironment().getRequiredProperty("local.server.port");
        HttpResponse<InputStream> answer = app.client()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port
                                        + "/idem/v1/events?filter=%7B%22operation%22%3A%22streamed%22%7D"))
                                .header("Authorization", basic("ann"))
                                .header("Cookie", page.cookie)
                                .build(),
                        BodyHandlers.ofInputStream());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/event-stream");
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).isEqualTo(": listening");
            page.call("claim", "{\"operation\":\"other\",\"key\":\"k\",\"attempt_id\":\"" + ID + "\"}");
            page.call("claim", "{\"operation\":\"streamed\",\"key\":\"k\",\"attempt_id\":\"" + ID + "\"}");
            assertThat(lines.readLine()).isEmpty();
            assertThat(lines.readLine()).isEqualTo("id: 1");
            assertThat(lines.readLine()).isEqualTo("event: changed");

            app.send(by("ann", Sent.post("/logout"))
                    .header("Cookie", page.cookie)
                    .header("X-CSRF-TOKEN", page.csrf));
            assertThat(lines.lines().toList()).doesNotContain("event: changed");
        }
    }

    @Test
    void anApplicationEndsWhileSomebodyListens() throws Exception {
        App ending = App.start(new SpringApplication(Secured.class), CONSOLE);
        try (ending) {
            String port = ending.context().getEnvironment().getRequiredProperty("local.server.port");
            HttpResponse<InputStream> answer = ending.client()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/idem/v1/events"))
                                    .header("Authorization", basic("ann"))
                                    .build(),
                            BodyHandlers.ofInputStream());
            ending.context().close();
            assertThat(new String(answer.body().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith(": listening");
        }
    }

    @Test
    void itMayStandElsewhere() throws Exception {
        String[] properties = CONSOLE.clone();
        properties[5] = "idem.console.path=/admin/once";
        try (App other = App.start(new SpringApplication(Secured.class), properties)) {
            assertThat(other.send(by("ann", Sent.of("GET", "/admin/once/"))).status())
                    .isEqualTo(200);
            assertThat(other.send(by("ann", Sent.of("GET", "/admin/once"))).header("Location"))
                    .isEqualTo("once/");
            assertThat(other.send(by("ann", Sent.of("GET", "/idem/"))).status()).isEqualTo(404);
        }
    }

    @Test
    void withoutThePropertyThereIsNone() throws Exception {
        try (App plain = App.start(
                new SpringApplication(Secured.class), "idem.ledger=memory:", "spring.autoconfigure.exclude=")) {
            assertThat(plain.send(by("ann", Sent.of("GET", "/idem/"))).status()).isEqualTo(404);
        }
    }

    @Test
    void aPathBehindNoFilterChainStopsTheStart() {
        assertThatThrownBy(() -> App.start(new SpringApplication(Elsewhere.class), CONSOLE)
                        .close())
                .hasStackTraceContaining("the console is behind no filter chain of Spring Security."
                        + " Have a SecurityFilterChain match /idem/**");
    }

    @Test
    void anApplicationWithoutSpringSecurityStopsTheStart() {
        assertThatThrownBy(() -> App.start(
                                ShopApplication.class,
                                "idem.ledger=memory:",
                                "idem.console.enabled=true",
                                "idem.console.role=OPS")
                        .close())
                .hasStackTraceContaining("the console is behind no filter chain of Spring Security");
    }

    @Test
    void withoutARoleItDoesNotStart() {
        assertThatThrownBy(() -> App.start(
                                new SpringApplication(Secured.class),
                                "idem.ledger=memory:",
                                "spring.autoconfigure.exclude=",
                                "idem.console.enabled=true")
                        .close())
                .hasStackTraceContaining("the console needs a role. Set idem.console.role");
    }

    @Test
    void anApplicationWithoutServletsDoesNotStart() {
        SpringApplication application = new SpringApplication(ShopApplication.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        assertThatThrownBy(() -> App.start(
                                application,
                                "idem.ledger=memory:",
                                "idem.console.enabled=true",
                                "idem.console.role=OPS")
                        .close())
                .hasStackTraceContaining("the console needs Spring MVC");
    }

    @ParameterizedTest
    @CsvSource({
        "dev.idem.server.console.Console, needs the artifact dev.idem:idem-server-console",
        "org.springframework.security.web.FilterChainProxy, needs Spring Security",
    })
    void whatIsMissingIsNamed(String type, String message) {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.setBeanClassLoader(new ClassLoader(getClass().getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                if (name.equals(type)) {
                    throw new ClassNotFoundException(name);
                }
                return super.loadClass(name, resolve);
            }
        });
        assertThatThrownBy(() -> IdemConsoleAutoConfiguration.idemConsoleNeeds(new MockEnvironment())
                        .postProcessBeanFactory(beans))
                .hasMessageContaining(message);
    }
}
