package dev.idem.server.http;

import dev.idem.server.Api;
import dev.idem.server.ApiError;
import dev.idem.server.ApiException;
import dev.idem.server.Caller;
import dev.idem.server.Problem;
import dev.idem.server.RequestThreads;
import dev.idem.server.Watch;
import java.time.Duration;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** The paths of a server on the network. */
final class Routes extends Handler.Wrapper {
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
    private static final long KNOWN_FOR = Duration.ofSeconds(1).toNanos();

    private final Api api;
    private final RequestThreads threads;
    private final Callers callers;
    private final Watch watch;
    private final Admission admission;
    private final PrometheusMeters meters;
    private volatile @Nullable Readiness known;

    Routes(
            Api api,
            RequestThreads threads,
            Callers callers,
            Watch watch,
            Admission admission,
            PrometheusMeters meters,
            ApiHandler methods) {
        super(methods);
        this.api = api;
        this.threads = threads;
        this.callers = callers;
        this.watch = watch;
        this.admission = admission;
        this.meters = meters;
    }

    /** What the ledger last said. */
    private record Readiness(long nanos, Reply reply) {}

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (!request.getMethod().equals("GET")) {
            return super.handle(request, response, callback);
        }
        switch (Request.getPathInContext(request)) {
            case "/healthz" -> Reply.of(Reply.TEXT, "alive\n").send(request, response, callback);
            case "/readyz" ->
                Reply.later(threads, RequestThreads.STRANGERS, this::readiness, request, response, callback);
            case "/openapi.json" -> Reply.of(Reply.JSON, api.openApi() + "\n").send(request, response, callback);
            case "/metrics" -> scrape(request, response, callback);
            case "/v1/events" -> listen(request, response, callback);
            default -> {
                return super.handle(request, response, callback);
            }
        }
        return true;
    }

    /** Whether the ledger answers. Anybody may ask, so the ledger is not asked each time. */
    private Reply readiness() {
        Readiness last = known;
        if (last == null || System.nanoTime() - last.nanos > KNOWN_FOR) {
            Reply reply;
            try {
                api.requireReady();
                reply = Reply.of(Reply.TEXT, "ready\n");
            } catch (ApiException e) {
                // What it said in full is for those who have a token.
                reply = Reply.problem(new ApiException(ApiError.LEDGER_UNAVAILABLE, "the ledger gives no answer", e));
            }
            last = new Readiness(System.nanoTime(), reply);
            known = last;
        }
        return last.reply;
    }

    /** Numbers of all scopes together, so they are for those who may read all. */
    private void scrape(Request request, Response response, Callback callback) {
        try {
            Caller caller = callers.of(request);
            caller.requireReadingAll();
            Reply.later(
                    threads, caller.client(), () -> Reply.of(PROMETHEUS, meters.text()), request, response, callback);
        } catch (ApiException e) {
            Reply.problem(e).send(request, response, callback);
        }
    }

    private void listen(Request request, Response response, Callback callback) {
        try {
            threads.execute(callers.of(request).client(), () -> {
                try {
                    Caller caller = callers.of(request);
                    // It browses first.
                    admission.call("browse", caller, request, () -> {
                        watch.listen(
                                caller,
                                Watch.filter(request.getHttpURI().getQuery()),
                                request.getHeaders().contains("Last-Event-ID"),
                                () -> Events.begin(response, callback));
                        return "";
                    });
                } catch (ApiException e) {
                    Reply.problem(e).send(request, response, callback);
                } catch (RuntimeException | Error e) {
                    Reply.problem(Problem.of(e)).send(request, response, callback);
                }
            });
        } catch (ApiException e) {
            Reply.problem(e).send(request, response, callback);
        }
    }
}
