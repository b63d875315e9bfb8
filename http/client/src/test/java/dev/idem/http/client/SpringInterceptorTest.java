package dev.idem.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.SpringVersion;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.RequestEntity;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.web.client.DefaultResponseErrorHandler;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.ResponseErrorHandler;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/** Spring's clients pass the table, on the client of the JDK and on the old {@code HttpURLConnection}. */
class SpringInterceptorTest {
    static List<ClientCases.Case> cases() {
        return ClientCases.all();
    }

    /** With the key as an attribute, so that it is sent in the form of the provider. */
    private static final Surface REST_CLIENT = (idem, provider, retry, uri, key, limit) -> {
        IdemRequestInterceptor interceptor = IdemRequestInterceptor.of(idem).retry(retry);
        JdkClientHttpRequestFactory factory = new JdkClientHttpRequestFactory();
        factory.setReadTimeout(limit);
        RestClient client = RestClient.builder()
                .requestFactory(factory)
                .requestInterceptor(provider == null ? interceptor : interceptor.provider(provider))
                .defaultStatusHandler(status -> true, (request, response) -> {})
                .build();
        return ofSpring(() -> client.post()
                .uri(uri)
                .attributes(IdemRequestInterceptor.key(key))
                .contentType(MediaType.APPLICATION_JSON)
                .body(ClientCases.CHARGE)
                .retrieve()
                .toEntity(String.class));
    };

    /** With the key as a header. */
    private static final Surface REST_TEMPLATE = (idem, provider, retry, uri, key, limit) -> {
        IdemRequestInterceptor interceptor = IdemRequestInterceptor.of(idem).retry(retry);
        SimpleClientHttpRequestFactory factory = new SimpleClientHttpRequestFactory();
        factory.setReadTimeout((int) limit.toMillis());
        RestTemplate template = new RestTemplate(factory);
        template.setErrorHandler(answersAll());
        template.getInterceptors().add(provider == null ? interceptor : interceptor.provider(provider));
        return ofSpring(() -> template.exchange(
                RequestEntity.post(uri)
                        .header(Remote.KEY, key)
                        .contentType(MediaType.APPLICATION_JSON)
                        .body(ClientCases.CHARGE),
                String.class));
    };

    private static ResponseErrorHandler answersAll() {
        return new DefaultResponseErrorHandler() {
            @Override
            protected boolean hasError(HttpStatusCode status) {
                return false;
            }
        };
    }

    private interface Exchange {
        ResponseEntity<String> get();
    }

    private static Surface.Got ofSpring(Exchange exchange) throws IOException {
        try {
            ResponseEntity<String> got = exchange.get();
            return new Surface.Got(
                    got.getStatusCode().value(),
                    String.valueOf(got.getBody()),
                    got.getHeaders().getFirst(Answer.REPLAYED) != null);
        } catch (ResourceAccessException e) {
            throw (IOException) e.getCause();
        }
    }

    @Test
    void theVersionOfSpringIsTheExpectedOne() {
        assertThat(SpringVersion.getVersion()).isEqualTo(System.getProperty("spring.expected"));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void restClient(ClientCases.Case one) throws Exception {
        ClientCases.run(one, REST_CLIENT);
    }

    /** Without the faults that take their time: RestClient has shown them. */
    static List<ClientCases.Case> quickCases() {
        return ClientCases.all().stream().filter(one -> !one.stalls()).toList();
    }

    @ParameterizedTest
    @MethodSource("quickCases")
    void restTemplate(ClientCases.Case one) throws Exception {
        ClientCases.run(one, REST_TEMPLATE);
    }
}
