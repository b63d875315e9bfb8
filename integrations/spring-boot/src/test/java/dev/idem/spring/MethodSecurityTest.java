package dev.idem.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.State;
import dev.idem.http.suite.Received;
import dev.idem.http.suite.Sent;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.access.prepost.PostAuthorize;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.RestController;

/** Denials of method security: the key is free only if the handler had not begun. */
class MethodSecurityTest {
    private static App app;

    @BeforeAll
    static void start() {
        app = App.start(
                new SpringApplication(Secured.class),
                "idem.ledger=memory:",
                "spring.autoconfigure.exclude=",
                // Not for forwards: there it would turn the exception into a response, which is recorded.
                "spring.security.filter.dispatcher-types=async,error,request");
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    @BeforeEach
    void close() {
        app.bean(Doorman.class).open.set(false);
        app.bean(Doorman.class).begun.set(0);
    }

    private static Received send(String path) throws Exception {
        String basic = Base64.getEncoder().encodeToString("ann:a".getBytes(StandardCharsets.UTF_8));
        return app.send(Sent.post(path).by("").key("k").header("Authorization", "Basic " + basic));
    }

    @Test
    void aHandlerThatWasDeniedBeforeItBeganFreesItsKey() throws Exception {
        Received denied = send("/vault");
        assertThat(denied.status()).as(denied.text()).isEqualTo(403);
        assertThat(denied.text()).doesNotContain("urn:idem:problem");
        assertThat(send("/vault").status()).isEqualTo(403);

        app.bean(Doorman.class).open.set(true);
        assertThat(send("/vault").text()).isEqualTo("opened 1");
        Received replay = send("/vault");
        assertThat(replay.text()).isEqualTo("opened 1");
        assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/inside", "/after", "/attribute", "/other", "/forwarded"})
    void aHandlerThatHadBegunWhenItWasDeniedIsInDoubt(String path) throws Exception {
        assertThat(send(path).status()).isEqualTo(403);

        app.bean(Doorman.class).open.set(true);
        Received again = send(path);
        assertThat(again.status()).as(again.text()).isEqualTo(409);
        assertThat(again.text()).contains("urn:idem:problem:in-doubt");
        assertThat(app.bean(Doorman.class).begun).hasValue(1);
        assertThat(app.idem()
                        .find(new Address("http:ann", "POST " + path, "k"))
                        .orElseThrow()
                        .state())
                .isEqualTo(State.IN_DOUBT);
    }

    /** Decides who comes in. */
    @Component("doorman")
    static class Doorman {
        final AtomicBoolean open = new AtomicBoolean();
        final AtomicInteger begun = new AtomicInteger();

        public boolean lets() {
            return open.get();
        }
    }

    /** A service with method security. */
    @Component
    static class Safe {
        @PreAuthorize("@doorman.lets()")
        public void take() {}
    }

    /** A controller with method security. */
    @RestController
    static class Vault {
        private final Doorman doorman;
        private final Safe safe;

        Vault(Doorman doorman, Safe safe) {
            this.doorman = doorman;
            this.safe = safe;
        }

        @PreAuthorize("@doorman.lets()")
        @PostMapping("/vault")
        public String open() {
            return "opened " + doorman.begun.incrementAndGet();
        }

        @PostMapping("/inside")
        public String inside() {
            doorman.begun.incrementAndGet();
            safe.take();
            return "taken";
        }

        @PostAuthorize("@doorman.lets()")
        @PostMapping("/after")
        public String after() {
            doorman.begun.incrementAndGet();
            return "done";
        }
    }

    /** A controller whose other method runs before the handler. */
    @RestController
    static class Attributes {
        private final Doorman doorman;

        Attributes(Doorman doorman) {
            this.doorman = doorman;
        }

        @ModelAttribute
        public void before() {
            doorman.begun.incrementAndGet();
        }

        @PreAuthorize("@doorman.lets()")
        @PostMapping("/attribute")
        public String open() {
            return "opened";
        }
    }

    /** A controller without method security, which goes on to one that has it. */
    @Controller
    static class Hall {
        private final Doorman doorman;
        private final Vault vault;

        Hall(Doorman doorman, Vault vault) {
            this.doorman = doorman;
            this.vault = vault;
        }

        @PostMapping("/other")
        @ResponseBody
        String other() {
            doorman.begun.incrementAndGet();
            return vault.open();
        }

        @PostMapping("/forwarded")
        String forwarded() {
            doorman.begun.incrementAndGet();
            return "forward:/vault";
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableMethodSecurity
    @Import({Doorman.class, Safe.class, Vault.class, Attributes.class, Hall.class})
    static class Secured {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(all -> all.anyRequest().authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .csrf(AbstractHttpConfigurer::disable)
                    .build();
        }

        @Bean
        InMemoryUserDetailsManager users() {
            return new InMemoryUserDetailsManager(
                    User.withUsername("ann").password("{noop}a").build());
        }
    }
}
