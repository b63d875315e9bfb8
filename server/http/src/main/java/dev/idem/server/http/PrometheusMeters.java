package dev.idem.server.http;

import dev.idem.server.Api;
import dev.idem.server.ApiError;
import dev.idem.server.ApiException;
import dev.idem.server.Watch;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The numbers of a server, in the form that Prometheus reads. No number has a label that a client chooses: neither scopes
 * nor keys, and unknown methods are one.
 */
final class PrometheusMeters implements Meters, AutoCloseable {
    private static final String ANSWER = "{\"answer\":\"";

    private final Api api;
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final MultiGauge entries;

    PrometheusMeters(Api api, Watch watch) {
        this.api = api;
        Gauge.builder("idem.tickets.renewed", api, Api::renewed)
                .description("Tickets of clients that this server renews")
                .register(registry);
        Gauge.builder("idem.readers", watch, Watch::readers)
                .description("Open streams of events")
                .register(registry);
        this.entries = MultiGauge.builder("idem.entries")
                .description("Entries of the ledger by state")
                .register(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    @Override
    public String measured(String method, Supplier<String> work) {
        long begin = System.nanoTime();
        String word = ApiError.INTERNAL.word();
        try {
            String answer = work.get();
            word = wordOf(answer);
            return answer;
        } catch (ApiException e) {
            word = e.error().word();
            throw e;
        } finally {
            Timer.builder("idem.requests")
                    .description("Requests by method and answer, or error")
                    .tags("method", api.methods().contains(method) ? method : "unknown", "answer", word)
                    .register(registry)
                    .record(System.nanoTime() - begin, TimeUnit.NANOSECONDS);
        }
    }

    private static String wordOf(String answer) {
        return answer.startsWith(ANSWER) ? answer.substring(ANSWER.length(), answer.indexOf('"', ANSWER.length())) : "";
    }

    /** All numbers as text. Throws {@link ApiException} if the ledger gives none. */
    String text() {
        entries.register(
                api.entries().entrySet().stream()
                        .map(each -> MultiGauge.Row.of(Tags.of("state", each.getKey()), each.getValue()))
                        .toList(),
                true);
        return registry.scrape();
    }

    @Override
    public void close() {
        registry.close();
    }
}
