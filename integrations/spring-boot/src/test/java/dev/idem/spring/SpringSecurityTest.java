package dev.idem.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.http.suite.Received;
import dev.idem.http.suite.Sent;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** The real Spring Security in front of the filter. */
class SpringSecurityTest {
    @Import(ShopApplication.class)
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
                    User.withUsername("ann").password("{noop}a").build(),
                    User.withUsername("bob").password("{noop}b").build());
        }
    }

    private static Sent order(String credentials) {
        String basic = Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
        return Sent.post("/orders")
                .by("")
                .key("k")
                .json("{\"item\":\"tea\"}")
                .header("Authorization", "Basic " + basic);
    }

    @Test
    void theFilterRunsBehindSpringSecurityAndKeysBelongToItsCallers() throws Exception {
        SpringApplication application = new SpringApplication(Secured.class);
        try (App app = App.start(application, "idem.ledger=memory:", "spring.autoconfigure.exclude=")) {
            Received refused = app.send(order("ann:wrong"));
            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.header("WWW-Authenticate")).startsWith("Basic");
            assertThat(refused.text()).doesNotContain("urn:idem:problem");
            assertThat(app.bean(ShopApplication.class).runs).hasValue(0);

            Received first = app.send(order("ann:a"));
            Received replay = app.send(order("ann:a"));
            Received other = app.send(order("bob:b"));

            assertThat(first.status()).as(first.text()).isEqualTo(201);
            assertThat(replay.body()).isEqualTo(first.body());
            assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
            assertThat(other.body()).isNotEqualTo(first.body());
            assertThat(app.idem().find(new Address("http:ann", "POST /orders", "k")))
                    .isPresent();
            assertThat(app.send(order("ann:wrong")).status()).isEqualTo(401);
        }
    }
}
