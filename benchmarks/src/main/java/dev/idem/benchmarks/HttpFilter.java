package dev.idem.benchmarks;

import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.http.HttpGuard;
import dev.idem.http.HttpRules;
import dev.idem.http.servlet.IdemFilter;
import dev.idem.lab.TempFolder;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.jspecify.annotations.Nullable;

/**
 * A small request to Tomcat, one client on one connection: the time that the filter adds, beside the same call of the
 * ledger without HTTP. A turn asks with the filter, without it, and the ledger alone.
 */
final class HttpFilter implements Scenario {
    private static final byte[] BODY = "{\"item\":\"tea\",\"cents\":4200}".getBytes(StandardCharsets.UTF_8);
    private static final int CALLS_A_TURN = 10;

    /** A field, because Java forgets the level of a logger without a reference. */
    private static final Logger TOMCAT = Logger.getLogger("org.apache");

    @Override
    public String name() {
        return "HTTP filter, one thread";
    }

    @Override
    public List<Row> run(Effort effort) throws Exception {
        TOMCAT.setLevel(Level.OFF);
        Effort turns = effort.inTurnsOf(CALLS_A_TURN);
        try (TempFolder folder = new TempFolder(effort.folder());
                Idem memory = Ledgers.inMemory();
                Idem sqlite = Ledgers.inSqlite(folder.file("idem.db"))) {
            Tomcat tomcat = new Tomcat();
            tomcat.setBaseDir(folder.file("tomcat").toString());
            tomcat.setPort(0);
            tomcat.getConnector().setProperty("address", "127.0.0.1");
            add(tomcat, "/bare", null);
            add(tomcat, "/memory", memory);
            add(tomcat, "/SQLite", sqlite);
            tomcat.start();
            try {
                int port = tomcat.getConnector().getLocalPort();
                List<Row> rows = new ArrayList<>(rows(turns, port, "memory", memory));
                rows.addAll(rows(turns, port, "SQLite", sqlite));
                return rows;
            } finally {
                tomcat.stop();
                tomcat.destroy();
            }
        }
    }

    private static void add(Tomcat tomcat, String path, @Nullable Idem idem) {
        Context context = tomcat.addContext(path, null);
        Tomcat.addServlet(context, "orders", new Orders());
        context.addServletMappingDecoded("/orders", "orders");
        if (idem != null) {
            HttpGuard guard = new HttpGuard(idem, HttpRules.ietf().principalRequired(false));
            context.addServletContainerInitializer(
                    (types, servlets) -> new IdemFilter(guard).register(servlets), Set.of());
        }
    }

    /** Two turns with the same keys: first calls, then replays. */
    private static List<Row> rows(Effort effort, int port, String ledger, Idem idem) throws Exception {
        Operation<String> own = idem.operation("charge").returning(String.class);
        List<Row> rows = new ArrayList<>();
        for (String kind : List.of("first call", "replay")) {
            Turns turns = Turns.take(
                    effort,
                    round -> Turns.perCall(CALLS_A_TURN, i -> post(port, "/" + ledger, key(round, i)))
                            - Turns.perCall(CALLS_A_TURN, i -> post(port, "/bare", key(round, i))),
                    round -> Turns.perCall(
                            CALLS_A_TURN, i -> own.key(key(round, i)).run(call -> "ok")));
            rows.add(Row.withoutPromise(
                    "filter, " + ledger + ", " + kind + ", on top of the request | the ledger alone",
                    Units.time(turns.median(Turns::measured)),
                    Units.time(turns.median(Turns::floor)),
                    "+ " + Units.time(turns.median(Turns::differences))));
        }
        return rows;
    }

    private static String key(int round, int number) {
        return "req-" + round + "-" + number;
    }

    /** The JDK keeps the connection. */
    private static void post(int port, String context, String key) throws IOException {
        var connection = (HttpURLConnection) URI.create("http://127.0.0.1:" + port + context + "/orders")
                .toURL()
                .openConnection();
        connection.setRequestProperty("Idempotency-Key", key);
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(BODY.length);
        try (OutputStream out = connection.getOutputStream()) {
            out.write(BODY);
        }
        try (InputStream in = connection.getInputStream()) {
            in.readAllBytes();
        }
    }

    private static final class Orders extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            request.getInputStream().readAllBytes();
            response.setStatus(HttpServletResponse.SC_CREATED);
            response.setContentType("application/json");
            response.getOutputStream().write(BODY);
        }
    }
}
