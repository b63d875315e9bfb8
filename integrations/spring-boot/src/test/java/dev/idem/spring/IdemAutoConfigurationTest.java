package dev.idem.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.State;
import dev.idem.http.HttpGuard;
import dev.idem.http.HttpRules;
import dev.idem.http.suite.Received;
import dev.idem.http.suite.Sent;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.web.servlet.support.ErrorPageFilter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** The beans of the starter, its properties, and the order in which it ends. */
class IdemAutoConfigurationTest {
    private static final Sent ORDER = Sent.post("/orders").key("k").json("{\"item\":\"tea\"}");

    @TempDir
    Path folder;

    @Test
    void aRequestThatRunsAtShutdownIsRecorded() throws Exception {
        String ledger = "sqlite:" + folder.resolve("idem.db");
        App app = App.start(ShopApplication.class, "idem.ledger=" + ledger);
        ShopApplication shop = app.bean(ShopApplication.class);
        int port = app.context().getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        // The common pool may have one thread only.
        Executor threads = task -> new Thread(task, "client").start();
        var answer =
                CompletableFuture.supplyAsync(() -> send(app, Sent.post("/slow").key("k")), threads);
        assertThat(shop.entered.await(60, TimeUnit.SECONDS)).isTrue();

        var closed = CompletableFuture.runAsync(app::close, threads);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (accepts(port) && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(closed).isNotDone();
        shop.gate.countDown();
        closed.get(60, TimeUnit.SECONDS);

        assertThat(answer.get(60, TimeUnit.SECONDS).text()).isEqualTo("slow 1");
        try (Idem again = Idem.open(ledger)) {
            assertThat(again.find(new Address("http:ann", "POST /slow", "k"))
                            .orElseThrow()
                            .state())
                    .isEqualTo(State.COMPLETE);
        }
    }

    private static boolean accepts(int port) {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static Received send(App app, Sent request) {
        try {
            return app.send(request);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @EnableAutoConfiguration
    static class OwnIdem {
        @Bean
        Idem mine() {
            return Idem.open("memory:");
        }
    }

    @Test
    void anIdemOfTheApplicationWins() {
        SpringApplication application = new SpringApplication(OwnIdem.class);
        application.setWebApplicationType(WebApplicationType.NONE);

        try (App app = App.start(application, "idem.ledger=nonsense")) {
            assertThat(app.context().getBeanNamesForType(Idem.class)).containsExactly("mine");
            assertThat(app.context().getBeanNamesForType(HttpGuard.class)).isEmpty();
        }
    }

    @Test
    void aLedgerThatCanNotBeOpenedStopsTheStartWithTheReason() {
        SpringApplication application = new SpringApplication(ShopApplication.class);

        Throwable thrown = catchThrowable(() -> App.start(application, "idem.ledger=mysql://ann:secret@host/shop"));
        FailureAnalysis analysis = SpringFactoriesLoader.forDefaultResourceLocation(
                        getClass().getClassLoader())
                .load(FailureAnalyzer.class, (type, name, failure) -> {})
                .stream()
                .filter(LedgerNotOpenedAnalyzer.class::isInstance)
                .findAny()
                .orElseThrow()
                .analyze(thrown);

        assertThat(analysis.getDescription())
                .contains("idem.ledger", "'mysql:'")
                .doesNotContain("secret");
        assertThat(analysis.getAction()).contains("idem.ledger", "sqlite:");
        assertThat(thrown).hasStackTraceContaining("mysql").hasMessageNotContaining("secret");
    }

    @Test
    void theFilterCanBeTurnedOff() throws Exception {
        try (App app = App.start(ShopApplication.class, "idem.ledger=memory:", "idem.http.enabled=false")) {
            app.send(ORDER);
            assertThat(app.send(ORDER).text()).contains("\"order\":2");
            assertThat(app.context().getBeanNamesForType(HttpGuard.class)).isEmpty();
        }
    }

    @Test
    void propertiesSetTheRulesAndThePaths() throws Exception {
        try (App app = App.start(
                ShopApplication.class,
                "idem.ledger=memory:",
                "idem.http.profile=stripe",
                "idem.http.key-required=true",
                "idem.http.principal-required=false",
                "idem.http.paths=/orders/*,/poor")) {
            assertThat(app.send(ORDER.by("")).status()).isEqualTo(201);
            assertThat(app.send(ORDER.by("").json("{\"item\":\"coffee\"}")).status())
                    .isEqualTo(400);
            assertThat(app.send(Sent.post("/orders/7")).text()).contains("key-missing");
            assertThat(app.send(Sent.post("/deferred")).status()).isEqualTo(200);
        }
    }

    @Test
    void aPatternThatWouldGuardNothingStopsTheStart() {
        for (String pattern : List.of("/orders/**", "/orders*", "orders", "/*/pay", "*.")) {
            assertThatThrownBy(() -> http(pattern))
                    .as(pattern)
                    .hasMessageContaining("idem.http.paths has '" + pattern + "'");
        }
        for (String pattern : List.of("/", "/*", "/orders", "/orders/*", "*.do")) {
            assertThat(http(pattern).paths()).containsExactly(pattern);
        }
        assertThatThrownBy(() -> App.start(ShopApplication.class, "idem.ledger=memory:", "idem.http.paths=/orders/**")
                        .close())
                .hasStackTraceContaining("Write /orders or /orders/*");
    }

    @Test
    void aPatternThatFitsNoHandlerIsFound() {
        List<String> handlers = List.of("/orders/{id}", "/agent/run");

        assertThat(UnguardedHandlers.idle(List.of("/*", "/agent/*", "/orders/7", "/agnet/*", "*.do"), handlers))
                .containsExactly("/agnet/*", "*.do");
    }

    private static IdemProperties.Http http(String path) {
        return new IdemProperties.Http(
                true, IdemProperties.Profile.IETF, false, List.of(), true, List.of(), false, List.of(path));
    }

    @Test
    void aPropertyThatDoesNotExistStopsTheStartWithoutItsValue() {
        assertThatThrownBy(() -> App.start(ShopApplication.class, "idem.ledgr=sqlite:hidden.db")
                        .close())
                .hasStackTraceContaining("there is no property 'idem.ledgr'")
                .hasStackTraceContaining("idem.ledger, idem.http.enabled")
                .satisfies(thrown -> assertThat(stackTrace(thrown)).doesNotContain("hidden"));
        for (String name : List.of("idem.http.path", "idem.http.key.required", "idem.ledger.url")) {
            ConfigurableEnvironment environment = new StandardEnvironment();
            environment.getPropertySources().addFirst(new MapPropertySource("given", Map.of(name, "x")));
            assertThatThrownBy(() ->
                            new UnknownProperties(environment).postProcessBeanFactory(new DefaultListableBeanFactory()))
                    .hasMessageContaining("there is no property '" + name + "'");
        }
    }

    private static String stackTrace(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @Test
    void otherSpellingsListsAndVariablesOfTheCommandLineAreTaken() {
        SpringApplication application = new SpringApplication(ShopApplication.class);
        ConfigurableEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .replace(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                Map.of("IDEM_KEY", "k", "IDEM_LEDGER", "memory:", "idem.key", "k")));
        application.setEnvironment(environment);
        try (App app = App.start(application, "idem.http.keyRequired=true", "idem.http.paths[0]=/orders")) {
            assertThat(app.bean(IdemProperties.class).http().keyRequired()).isTrue();
            assertThat(app.bean(IdemProperties.class).http().paths()).containsExactly("/orders");
            assertThat(app.bean(IdemProperties.class).ledger()).isEqualTo("memory:");
        }
    }

    @Test
    void anErrorPageOutsideTheGuardedPathsIsRecorded() throws Exception {
        try (App app = App.start(ShopApplication.class, "idem.ledger=memory:", "idem.http.paths=/poor")) {
            Received first = app.send(Sent.post("/poor").key("k"));
            Received second = app.send(Sent.post("/poor").key("k"));

            assertThat(second.status()).isEqualTo(402);
            assertThat(second.body()).isEqualTo(first.body());
            assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
        }
    }

    @Test
    void anonymousCallersAreRefusedUnlessToldOtherwise() throws Exception {
        try (App app = App.start(ShopApplication.class, "idem.ledger=sqlite:" + folder.resolve("anonymous.db"))) {
            assertThat(app.send(ORDER.by("")).status()).isEqualTo(401);
            assertThat(app.bean(ShopApplication.class).runs).hasValue(0);
            assertThat(Files.exists(folder.resolve("anonymous.db"))).isTrue();
        }
    }

    @Import(ShopApplication.class)
    static class OwnRules {
        @Bean
        HttpRules rules() {
            return HttpRules.ietf().keyHeader("X-Once");
        }
    }

    @Test
    void rulesOfTheApplicationWin() throws Exception {
        try (App app = App.start(OwnRules.class, "idem.ledger=memory:", "idem.http.key-required=true")) {
            Sent order = Sent.post("/orders").header("X-Once", "k").json("{\"item\":\"tea\"}");
            assertThat(app.send(order).body()).isEqualTo(app.send(order).body());
            assertThat(app.send(ORDER).text()).contains("\"order\":2");
        }
    }

    @Import(ShopApplication.class)
    static class OwnGuard {
        @Bean
        HttpGuard guard(Idem idem) {
            return new HttpGuard(idem, HttpRules.idemkit());
        }
    }

    @Test
    void aGuardOfTheApplicationWins() throws Exception {
        try (App app = App.start(OwnGuard.class, "idem.ledger=memory:")) {
            app.send(ORDER);
            assertThat(app.send(ORDER).header("Idempotency-Replayed")).isEqualTo("true");
            assertThat(app.context().getBeanNamesForType(HttpGuard.class)).containsExactly("guard");
            assertThat(app.context().getBeanNamesForType(HttpRules.class)).isEmpty();
        }
    }

    /** As in a WAR. The filter must not wait for an error page that the container never shows. */
    @Import(ShopApplication.class)
    static class Forwarding {
        @Bean
        ErrorPageFilter errorPageFilter() {
            return new ErrorPageFilter();
        }
    }

    @Test
    void anErrorThatIsForwardedToItsPageIsRecordedWithItsMessage() throws Exception {
        try (App app = App.start(Forwarding.class, "idem.ledger=memory:")) {
            Received first = app.send(Sent.post("/poor").key("k"));
            Received second = app.send(Sent.post("/poor").key("k"));

            assertThat(first.status()).isEqualTo(402);
            assertThat(second.status()).isEqualTo(402);
            assertThat(second.body()).isEqualTo(first.body());
            assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
        }
    }
}
